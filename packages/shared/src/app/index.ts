export {
  type AccessRule,
  access,
  authorOf,
  type Caller,
  type CallerRole,
  type CallerToken,
  callerOf,
  callerTokenHeader,
  callerTokenOf,
  isSameSecret,
  isUnlocked,
  limits,
  type RouteLimit,
  requireInternal,
  requireUnlocked,
  type TokenScope,
  tokenScopes,
  writeCallerToken,
} from './access.js';
export type { ClientLimits } from './client-connections.js';
export { type AppOptions, createApp, declaredRoutes, type HubApp } from './create-app.js';

export {
  type Condition,
  type Conditions,
  type Probes,
  type Readiness,
  readinessPath,
} from './ops-server.js';
export { type PaceOptions, pacedStream, SlowReaderError } from './paced-stream.js';
export { publicAddress, publicPrefix } from './public-address.js';
export {
  isCrossSite,
  isForeignLoad,
  isYes,
  unlessDisconnected,
  whileAwaited,
} from './request.js';
export { addEntityTags, attachment, isUnmodified, weakTag } from './response.js';
export {
  type ListeningMessage,
  type RunningService,
  runService,
  type ServiceAddress,
  type ServiceDeps,
  startService,
} from './service.js';
