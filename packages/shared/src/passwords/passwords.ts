import { createHash, timingSafeEqual } from 'node:crypto';
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** Argon2id as OWASP recommends it: 46 MiB, two passes, one lane. */
const cost = { memoryCost: 47_104, timeCost: 2, parallelism: 1 } as const satisfies Options;

/** Characters that a password has at most: none may be set that cannot be given. */
export const longestPassword = 1_024;

/** Each takes 46 MiB and a thread of libuv's pool, which files and name look-ups need as well. */
const limit = pLimit(2);

/** A hash that no password has: whoever has none to compare with does the same work against it. */
export const dummyHash =
  '$argon2id$v=19$m=47104,t=2,p=1$V8yKscb4cidgqN6a3GBiEQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const isHash = (stored: string) => stored.startsWith('$argon2id$');
const digest = (text: string) => createHash('sha256').update(text).digest();

/** A salted hash of a password in PHC form, made off the event loop. */
export function hashPassword(text: string): Promise<string> {
  return limit(() => hash(text, cost));
}

/**
 * Whether a password is the one that is stored; never for an empty one. It takes the same work whatever is stored: a
 * hash, nothing, or the password itself as someone has written it into the database by hand.
 */
export async function verifyPassword(stored: string, text: string): Promise<boolean> {
  const isRight = await limit(() => verify(isHash(stored) ? stored : dummyHash, text));
  const isSame = timingSafeEqual(digest(stored), digest(text));
  return text !== '' && (isHash(stored) ? isRight : isSame);
}

/** Whether what is stored is no hash, or one of another cost than new ones have. */
export function needsRehash(stored: string): boolean {
  if (!isHash(stored)) return true;
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism;
}
