export { createSecretBox, isSealed, LostKeyError, openSecretBox, type SecretBox } from './secret-box.js';
export {
  givenKeys,
  type KeyFile,
  type KeySource,
  keyFileIn,
  type SecretsConfig,
  secretKeys,
} from './secret-keys.js';
export { hashToken, newToken, tokenPattern } from './token.js';
