export { AddressPlaces } from './address-places.js';
export { addressKey, attemptWindow, forwardedKey, TokenAttempts, tooManyAttempts } from './attempt-limit.js';
export { countAttempt, forgetAttempts, forgetLatestAttempt, removeOldAttempts } from './attempts.store.js';
