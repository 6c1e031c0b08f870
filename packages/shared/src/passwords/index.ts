export { dummyHash, hashPassword, maxPasswordLength, needsRehash, verifyPassword } from './passwords.js';
