import { createHash, timingSafeEqual } from 'node:crypto';
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** The Argon2id parameters that OWASP recommends: 46 MiB, two passes, no parallelism. */
const cost = { memoryCost: 47_104, timeCost: 2, parallelism: 1 } as const satisfies Options;

/** Maximum length, both for setting and for entering a password. */
export const maxPasswordLength = 1_024;

/** Each hash needs 46 MiB and a thread of libuv's pool, which files and DNS also use. */
const limit = pLimit(2);

/** A hash that no password matches, so that a verification takes as long when no password is stored. */
export const dummyHash =
  '$argon2id$v=19$m=47104,t=2,p=1$V8yKscb4cidgqN6a3GBiEQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const isHash = (stored: string) => stored.startsWith('$argon2id$');
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Returns a salted hash in PHC form, computed off the event loop. */
export function hashPassword(text: string): Promise<string> {
  return limit(() => hash(text, cost));
}

/**
 * Whether a password matches the stored one; false for an empty one. The work is the same whether a hash, nothing or,
 * after a manual edit of the database, a plain password is stored.
 */
export async function verifyPassword(stored: string, text: string): Promise<boolean> {
  const isVerified = await limit(() => verify(isHash(stored) ? stored : dummyHash, text));
  const isSame = timingSafeEqual(digest(stored), digest(text));
  return text !== '' && (isHash(stored) ? isVerified : isSame);
}

/** Whether the stored value is not a hash or has other cost parameters than new ones. */
export function needsRehash(stored: string): boolean {
  if (!isHash(stored)) return true;
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism;
}
