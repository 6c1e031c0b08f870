export { hashPassword, maxPasswordLength, needsRehash, verifyPassword } from './passwords.js';
