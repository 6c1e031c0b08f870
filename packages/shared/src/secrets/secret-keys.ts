import { join } from 'node:path';
import { type KeyFile, keyFile } from './key-file.js';
import { givenKeys, type KeySource } from './key-source.js';
import { createSecretBox, type SecretBox } from './secret-box.js';

/** What says where the keys of the secrets are. */
export interface SecretsConfig {
  readonly secretsKey?: string;
  readonly dataDir: string;
}

/** The file of the keys that the hub makes itself. */
export const keyFileIn = (dataDir: string): KeyFile => keyFile(join(dataDir, 'settings.key'));

/** The keys of `SECRETS_KEY` when it names any, else those of the file in `DATA_DIR`. */
export function secretKeys({ secretsKey, dataDir }: SecretsConfig): KeySource {
  return secretsKey === undefined ? keyFileIn(dataDir) : givenKeys(secretsKey);
}

/** The box of a process; see {@link secretKeys}. */
export function openSecretBox(config: SecretsConfig): SecretBox {
  return createSecretBox(secretKeys(config));
}
