export { dummyHash, hashPassword, needsRehash, verifyPassword } from './passwords.js';
