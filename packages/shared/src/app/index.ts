export { access } from './access.js';
export { attachment } from './attachment.js';
export type { ClientLimits } from './client-connections.js';
export { sendConsistencyTokens } from './consistency-token.js';
export { type AppOptions, createApp, type HubApp } from './create-app.js';
export { isCrossSite, isForeignLoad } from './cross-site.js';
export { declaredRoutes } from './declared-routes.js';
export { isUnmodified, weakTag } from './entity-tag.js';
export { toHubError } from './error-handler.js';
export { isSameSecret, requireInternal } from './internal-caller.js';
export { isYes } from './is-yes.js';
export { type Readiness, startOpsServer } from './ops-server.js';
export { type PaceOptions, pacedStream, SlowReaderError } from './paced-stream.js';
export {
  askProbes,
  type Condition,
  type Conditions,
  type Probes,
  readinessPath,
  registerReadiness,
} from './readiness.js';
export { requestIdOf } from './request-id.js';
export { limits, type RouteLimit } from './route-limit.js';
export {
  type ListeningMessage,
  type RunningService,
  runService,
  type ServiceAddress,
} from './run-service.js';
export { type ServiceParts, startService } from './start-service.js';
export { tagAnswers } from './tag-answers.js';
export { whileAwaited } from './while-awaited.js';
