export { DownloadError, download } from './download.js';
export {
  createOutgoingGuard,
  type OutgoingGuard,
  type OutgoingReach,
  RefusedAddressError,
} from './outgoing-guard.js';
