import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { LauncherError } from '@birdhub/launcher/launcher-error';

/** The keys that seal secrets, as stored in a backup: in clear, or encrypted with a passphrase. */
type StoredKeys = { readonly keys: readonly string[] } | { readonly wrapped: Wrapped };

/** AES-256-GCM with a key derived from the passphrase by scrypt; bytes in base64. */
interface Wrapped {
  readonly salt: string;
  readonly cost: number;
  readonly nonce: string;
  readonly tag: string;
  readonly content: string;
}

const cipher = 'aes-256-gcm';
const cost = 2 ** 17;
/** Derivation with this cost takes 1 GB of memory. */
const maxCost = 2 ** 20;
const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

export async function wrapKeys(keys: readonly string[], passphrase: string | undefined): Promise<Buffer> {
  const stored: StoredKeys = passphrase === undefined ? { keys } : { wrapped: await wrap(keys, passphrase) };
  return Buffer.from(JSON.stringify(stored));
}

/**
 * Returns the keys that {@link wrapKeys} stored.
 * @throws LauncherError when the passphrase is missing or wrong, or the cost of its derivation is out of range
 */
export async function unwrapKeys(
  content: Buffer,
  passphrase: string | undefined,
): Promise<readonly string[]> {
  const stored: StoredKeys = JSON.parse(content.toString('utf8'));
  if ('keys' in stored) return stored.keys;
  if (passphrase === undefined) {
    throw new LauncherError('This backup needs its passphrase: name its file with --passphrase-file.');
  }
  return unwrap(stored.wrapped, passphrase);
}

async function wrap(keys: readonly string[], passphrase: string): Promise<Wrapped> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const sealing = createCipheriv(cipher, await toKey(passphrase, salt, cost), nonce);
  const content = Buffer.concat([sealing.update(JSON.stringify(keys), 'utf8'), sealing.final()]);
  const text = (bytes: Buffer) => bytes.toString('base64');
  return {
    salt: text(salt),
    cost,
    nonce: text(nonce),
    tag: text(sealing.getAuthTag()),
    content: text(content),
  };
}

async function unwrap({ salt, cost, nonce, tag, content }: Wrapped, passphrase: string): Promise<string[]> {
  if (!Number.isInteger(cost) || !Number.isInteger(Math.log2(cost)) || cost < 2 || cost > maxCost) {
    throw new LauncherError(
      `The passphrase of this backup has a cost of ${cost}; a power of two up to ${maxCost} is expected. Nothing was changed.`,
    );
  }
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const opening = createDecipheriv(cipher, await toKey(passphrase, bytes(salt), cost), bytes(nonce), {
    authTagLength: 16,
  }).setAuthTag(bytes(tag));
  const opened = opening.update(bytes(content));
  try {
    return JSON.parse(Buffer.concat([opened, opening.final()]).toString('utf8'));
  } catch (cause) {
    throw new LauncherError('This is not the passphrase of this backup. Nothing was changed.', { cause });
  }
}

// At least as expensive as the hub's password hashes (r 8, p 1 take 1 KB per step of the cost).
function toKey(passphrase: string, salt: Buffer, steps: number): Promise<Buffer> {
  return derive(passphrase, salt, 32, { N: steps, r: 8, p: 1, maxmem: 2 * 1024 * steps });
}
