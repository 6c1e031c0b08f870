import type { PrismaClient } from '@birdhub/shared/db';
import { hashToken, newToken, tokenPattern } from '@birdhub/shared/secrets';
import { type Clock, hourMs, systemClock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { findToken, logTokenUse, type StoredToken, storeTokenUse } from './tokens.store.js';

/** Prefix by which people and secret scanners recognise tokens. */
const tokenPrefix = 'birdhub_';

/** How long a token is cached without a change notice. */
const cacheMs = 5_000;
const useIntervalMs = 60_000;
/** How often the use of a token for an operation is logged. */
const logIntervalMs = hourMs;
const maxAddressLength = 64;

/** Returns a new token of 256 random bits. */
export function createTokenText(): string {
  return tokenPrefix + newToken();
}

/** Whether a text has the format of a token. */
export function isTokenText(text: string): boolean {
  return text.startsWith(tokenPrefix) && tokenPattern.test(text.slice(tokenPrefix.length));
}

/** Dependencies of {@link AccessTokens}. */
export interface AccessTokensDeps {
  readonly prisma: PrismaClient;
  readonly log: Logger;
  /** Whether change notices are received; otherwise each request looks up its token. */
  readonly isListening: () => boolean;
  readonly clock?: Clock;
}

interface CacheEntry {
  readonly token: StoredToken;
  readonly readAt: number;
}

/**
 * Looks up access tokens. Found tokens are cached for some seconds and dropped at each change notice, so that revoking
 * one takes effect at all gateways immediately.
 */
export class AccessTokens {
  readonly #deps: AccessTokensDeps;
  readonly #clock: Clock;
  /** By hash in base64. */
  readonly #cache = new Map<string, CacheEntry>();
  /** By id, in ms since the epoch. */
  readonly #usedAt = new Map<number, number>();
  /** By id and operation, in ms since the epoch. */
  readonly #loggedAt = new Map<string, number>();
  readonly #writing = new Set<Promise<void>>();
  /** Incremented by {@link forget}, so that earlier reads are not cached. */
  #generation = 0;

  constructor(deps: AccessTokensDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
  }

  /** Returns the token with this text; undefined when it is unknown, revoked or expired. */
  find(text: string): StoredToken | undefined | Promise<StoredToken | undefined> {
    const hash = hashToken(text);
    const key = Buffer.from(hash).toString('base64');
    const known = this.#cache.get(key);
    if (known && this.#isFresh(known)) return this.#unlessExpired(known.token);
    return this.#read(key, hash);
  }

  /** Drops the cache, after a change. */
  forget(): void {
    this.#generation += 1;
    this.#cache.clear();
  }

  /**
   * Records a use for an operation (`POST /api/processor/videos`). The last use is stored at most once a minute, and
   * each operation of a token is logged at most once an hour; requests do not wait for either.
   */
  noteUse({ id, name }: StoredToken, address: string, operation: string): void {
    const now = this.#clock.now();
    const { prisma } = this.#deps;
    const shownAddress = address.slice(0, maxAddressLength);
    if (isDue(this.#usedAt, id, now, useIntervalMs)) {
      const use = { address: shownAddress, at: new Date(now), since: new Date(now - useIntervalMs) };
      this.#store(storeTokenUse(prisma, id, use));
    }
    if (isDue(this.#loggedAt, `${id} ${operation}`, now, logIntervalMs)) {
      this.#store(logTokenUse(prisma, { token: name, operation, address: shownAddress }));
    }
  }

  /** Resolves when all recorded uses are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #store(work: Promise<void>): void {
    const writing = work
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'token use not stored'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  #isFresh({ readAt }: CacheEntry): boolean {
    const age = this.#clock.now() - readAt;
    return age >= 0 && age < cacheMs && this.#deps.isListening();
  }

  async #read(key: string, hash: Uint8Array<ArrayBuffer>): Promise<StoredToken | undefined> {
    const generation = this.#generation;
    const readAt = this.#clock.now();
    const token = await findToken(this.#deps.prisma, hash);
    if (token && generation === this.#generation) this.#cache.set(key, { token, readAt });
    return token && this.#unlessExpired(token);
  }

  #unlessExpired(token: StoredToken): StoredToken | undefined {
    const { expiresAt } = token;
    return expiresAt === undefined || this.#clock.now() < expiresAt ? token : undefined;
  }
}

/** Whether an interval has passed since the last time; if so, the time is updated. */
function isDue<Key>(doneAt: Map<Key, number>, key: Key, now: number, intervalMs: number): boolean {
  if (now - (doneAt.get(key) ?? Number.NEGATIVE_INFINITY) < intervalMs) return false;
  doneAt.set(key, now);
  return true;
}
