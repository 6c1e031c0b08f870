export { DownloadError, download } from './download.js';
export {
  createOutgoingGuard,
  isPublicAddress,
  type OutgoingGuard,
  type OutgoingReach,
  RefusedAddressError,
} from './outgoing-guard.js';
