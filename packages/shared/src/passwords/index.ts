export { dummyHash, hashPassword, longestPassword, needsRehash, verifyPassword } from './passwords.js';
