export { awaitResponse } from './await-response.js';
export { DownloadError, download } from './download.js';
export {
  basicAuthorization,
  type GuardedRequest,
  isRedirect,
  redirectTarget,
  requestGuarded,
} from './guarded-request.js';
export {
  createOutgoingGuard,
  type OutgoingGuard,
  type OutgoingReach,
  RefusedAddressError,
} from './outgoing-guard.js';
export { readLimited } from './read-limited.js';
export {
  type AdmittedHost,
  createServiceGuard,
  type OwnAddress,
  ownAddressesOf,
  type ServiceGuard,
} from './service-guard.js';
