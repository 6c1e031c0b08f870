import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { type KeySource, type SecretsConfig, secretKeys } from './secret-keys.js';

/** Encrypts values for storage. */
export interface SecretBox {
  /** Returns the encrypted value; non-deterministic. */
  seal(value: unknown): string;
  /** Returns the decrypted value. @throws LostKeyError when no key can open it */
  open(sealed: string): unknown;
  /** Whether a text was sealed with this key. */
  isSealedWith(key: string, sealed: string): boolean;
}

/** Thrown for a sealed text whose key is missing or that was tampered with. */
export class LostKeyError extends Error {
  override readonly name = 'LostKeyError';
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

const sealedForm = /^sealed:1:([0-9a-f]{8}):([\w-]+)$/;
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The derived keys of this process, by their text: each takes 50 ms, and services in one process have the same. */
const derived = new Map<string, Key>();

/**
 * Derives a key by scrypt, as the text may be short. The id is computed from the key, so it does not reveal the text.
 */
function toKey(text: string): Key {
  const known = derived.get(text);
  if (known) return known;
  const bytes = scryptSync(text, 'birdhub settings', 32);
  const key = { bytes, id: createHash('sha256').update(bytes).digest('hex').slice(0, 8) };
  derived.set(text, key);
  return key;
}

/** Whether a stored value was sealed by a {@link SecretBox}. */
export function isSealed(value: unknown): value is string {
  return typeof value === 'string' && sealedForm.test(value);
}

/** Opens the box of a process with its configured keys. */
export function openSecretBox(config: SecretsConfig): SecretBox {
  return createSecretBox(secretKeys(config));
}

/** Creates a box that uses AES-256-GCM. The keys are read again for each `seal` and for unknown key ids. */
export function createSecretBox(source: KeySource): SecretBox {
  /** The keys that this box has met, by id: a rotated key still opens. */
  const known = new Map<string, Key>();

  function keyOf(text: string): Key {
    const key = toKey(text);
    known.set(key.id, key);
    return key;
  }

  function findKey(id: string): Key | undefined {
    if (!known.has(id)) source.read().forEach(keyOf);
    return known.get(id);
  }

  return {
    seal(value) {
      const [first] = source.readOrCreate();
      if (first === undefined) throw new LostKeyError('no key to encrypt with');
      const { id, bytes } = keyOf(first);
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, bytes, nonce);
      const text = Buffer.concat([sealing.update(JSON.stringify(value), 'utf8'), sealing.final()]);
      return `sealed:1:${id}:${Buffer.concat([nonce, sealing.getAuthTag(), text]).toString('base64url')}`;
    },
    open(sealed) {
      const [, id = '', content = ''] = sealedForm.exec(sealed) ?? [];
      const key = findKey(id);
      if (!key) throw new LostKeyError(`no key with the id ${id}`);
      const parts = Buffer.from(content, 'base64url');
      // Rejects texts that differ only in the unused bits of the last character.
      if (parts.toString('base64url') !== content) throw new LostKeyError('not a sealed text');
      const nonce = parts.subarray(0, nonceBytes);
      const tag = parts.subarray(nonceBytes, nonceBytes + tagBytes);
      try {
        const opening = createDecipheriv(cipher, key.bytes, nonce, { authTagLength: tagBytes }).setAuthTag(
          tag,
        );
        const text = Buffer.concat([opening.update(parts.subarray(nonceBytes + tagBytes)), opening.final()]);
        return JSON.parse(text.toString('utf8')) as unknown;
      } catch (cause) {
        throw new LostKeyError(`not sealed with the key with the id ${id}, or changed since`, { cause });
      }
    },
    isSealedWith: (key, sealed) => sealedForm.exec(sealed)?.[1] === keyOf(key).id,
  };
}
