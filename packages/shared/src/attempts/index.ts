export { addressKey, attemptWindow, TokenAttempts, tooManyAttempts } from './attempt-limit.js';
export { countAttempt, forgetAttempts, forgetLatestAttempt, removeOldAttempts } from './attempts.store.js';
