import { createHash, randomBytes } from 'node:crypto';
import type { PrismaClient } from '@birdhub/shared/db';
import { type Clock, systemClock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { findToken, logTokenUse, type StoredToken, storeTokenUse } from './tokens.store.js';

/** What tokens begin with, so that people and scanners for leaked secrets recognise them. */
const tokenPrefix = 'birdhub_';
/** The prefix, and 256 bits in base64url. */
const tokenFormat = /^birdhub_[\w-]{43}$/;

/** For how long a look-up holds when no change notice comes. */
const cacheMs = 5_000;
const useIntervalMs = 60_000;
/** How often the activity log says that a token was used for an operation. */
const logIntervalMs = 3_600_000;
const maxAddressLength = 64;

/** Returns a new token of 256 random bits. */
export function createTokenText(): string {
  return tokenPrefix + randomBytes(32).toString('base64url');
}

/** Returns what is stored of a token, so that it cannot be read from the database or from a backup. */
export function hashToken(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(text).digest());
}

/** Whether a text is written as tokens are. */
export function isTokenText(text: string): boolean {
  return tokenFormat.test(text);
}

/** What tokens are looked up with. */
export interface AccessTokensDeps {
  readonly prisma: PrismaClient;
  readonly log: Logger;
  /** Whether every change notice arrives; while not, each request looks its token up. */
  readonly isListening: () => boolean;
  readonly clock?: Clock;
}

interface CacheEntry {
  readonly token: StoredToken;
  readonly readAt: number;
}

/**
 * The access tokens as a gateway knows them. Tokens that were found are kept for some seconds and forgotten at each
 * change notice, so that one that is revoked ends at all gateways at once.
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
  /** Grows at each {@link forget}: what was read before is not kept. */
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

  /** Forgets what was read, after a change. */
  forget(): void {
    this.#generation += 1;
    this.#cache.clear();
  }

  /**
   * Notes a use for an operation (`POST /api/processor/videos`). The last use is stored at most once a minute, and the
   * activity log names each operation of a token at most once an hour; no request waits for either.
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

  /** Resolves when the uses that were noted are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #store(work: Promise<void>): void {
    const writing = work
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'use of a token not stored'))
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

/** Whether something was last done an interval ago or longer; then it counts as done now. */
function isDue<Key>(doneAt: Map<Key, number>, key: Key, now: number, intervalMs: number): boolean {
  if (now - (doneAt.get(key) ?? Number.NEGATIVE_INFINITY) < intervalMs) return false;
  doneAt.set(key, now);
  return true;
}
