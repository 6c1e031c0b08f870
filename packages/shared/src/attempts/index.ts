export { addressKey, attemptWindow, TokenAttempts, tooManyAttempts } from './attempt-limit.js';
export { countAttempt, forgetAttempts, removeOldAttempts } from './attempts.store.js';
