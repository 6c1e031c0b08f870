export { type CallerToken, callerTokenHeader, callerTokenOf, writeCallerToken } from './caller-token.js';
