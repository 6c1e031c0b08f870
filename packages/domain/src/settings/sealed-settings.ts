import { isDeepStrictEqual } from 'node:util';
import { hashPassword } from '@birdhub/shared/passwords';
import { isSealed, LostKeyError, type SecretBox } from '@birdhub/shared/secrets';
import { passwordKeys } from '@birdhub/shared/sessions';
import type { Path } from './places.js';
import { isGroup, mapSecrets, mask } from './secret-places.js';
import type { StoredSettings } from './stored-settings.js';

const passwordPaths = Object.values(passwordKeys).map((key) => `general/${key}`);
const isPassword = (path: Path) => passwordPaths.includes(path.join('/'));

/** A copy with the passwords, which are secrets too, as `hash` makes them. */
async function hashPasswords(
  settings: StoredSettings,
  isHashed: (text: string) => boolean,
): Promise<StoredSettings> {
  const { general } = settings;
  if (!isGroup(general)) return settings;
  const values = { ...general };
  for (const key of Object.values(passwordKeys)) {
    const text = general[key];
    const isPlain = typeof text === 'string' && text !== '' && !isHashed(text);
    if (isPlain) values[key] = await hashPassword(text);
  }
  return { ...settings, general: values };
}

/** What someone sends, as it is stored: passwords hashed, other secrets sealed; `***` and empty ones as they are. */
export async function sealGiven(change: StoredSettings, box: SecretBox): Promise<StoredSettings> {
  const hashed = await hashPasswords(change, (text) => text === mask);
  return mapSecrets(hashed, (secret, path) =>
    isPassword(path) || secret === '' || secret === mask ? secret : box.seal(secret),
  ) as StoredSettings;
}

/** What is stored with nothing in clear any more: secrets may have come into the database by hand. */
export async function sealStored(stored: StoredSettings, box: SecretBox): Promise<StoredSettings> {
  const hashed = await hashPasswords(stored, (text) => text.startsWith('$argon2id$'));
  return mapSecrets(hashed, (secret, path) =>
    isPassword(path) || secret === '' || isSealed(secret) ? secret : box.seal(secret),
  ) as StoredSettings;
}

/** A copy with the secrets opened; empty are those that need a key which is not here, and all without a box. */
export function openSecrets(
  stored: unknown,
  box: SecretBox | undefined,
  onLost: (path: Path, error: unknown) => void,
): unknown {
  return mapSecrets(stored, (secret, path) => {
    if (!isSealed(secret)) return secret;
    if (!box) return '';
    try {
      return box.open(secret);
    } catch (error) {
      onLost(path, error);
      return '';
    }
  });
}

/** Whether two secrets as stored are the same; not told of passwords, whose hashes never are. */
export function isSameSealed(box: SecretBox): (stored: unknown, given: unknown) => boolean {
  return (stored, given) => {
    if (!isSealed(stored) || !isSealed(given)) return stored === given;
    try {
      return isDeepStrictEqual(box.open(stored), box.open(given));
    } catch (error) {
      if (error instanceof LostKeyError) return false;
      throw error;
    }
  };
}
