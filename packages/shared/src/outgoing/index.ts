export { awaitResponse } from './await-response.js';
export { DownloadError, download } from './download.js';
export {
  createOutgoingGuard,
  isPublicAddress,
  type OutgoingGuard,
  type OutgoingReach,
  RefusedAddressError,
} from './outgoing-guard.js';
export {
  type AdmittedHost,
  createServiceGuard,
  type OwnAddress,
  ownAddressesOf,
  type ServiceGuard,
  toOwnAddresses,
} from './service-guard.js';
