export type { KeyFile } from './key-file.js';
export type { KeySource } from './key-source.js';
export { givenKeys } from './key-source.js';
export { createSecretBox, isSealed, LostKeyError, type SecretBox } from './secret-box.js';
export { keyFileIn, openSecretBox, type SecretsConfig, secretKeys } from './secret-keys.js';
