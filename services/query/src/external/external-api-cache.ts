import { setTimeout as pause } from 'node:timers/promises';
import { createSingleFlight } from '@birdhub/shared/async';
import { Prisma, type PrismaClient } from '@birdhub/shared/db';
import { type Clock, dayMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';

/** A request to an external service. Requests with equal service and key share a result. */
export interface ExternalQuery<T> extends ResultKey {
  /** Returns how long a result is fresh, in ms. */
  freshMs(value: T): number;
  /** Delay before another request after a failure, in ms. */
  readonly retryMs: number;
  fetch(): Promise<T>;
}

/** The cached value; undefined when no request has succeeded yet. */
export interface CachedResult<T> {
  readonly value: T | undefined;
  /** Whether the last attempt to refresh it failed. */
  readonly isStale: boolean;
  /** Time of the next fetch, in ms. */
  readonly fetchAgainAt: number;
}

/** Dependencies of the cache. */
export interface ExternalApiCacheDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Duration of a claim. Longer than any request, so the process of an expired claim must have crashed. */
const claimMs = 10_000;
/** A reader waits up to 4.4 seconds for another process that is fetching. */
const pollIntervalMs = 100;
const maxPolls = 45;
const retentionMs = 60 * dayMs;

/**
 * Caches results of external services in the database for all processes. The row also holds the claim of the fetching
 * process, so that there is only one request at a time. When the service fails, the last good result is returned as
 * stale.
 */
export class ExternalApiCache {
  readonly #deps: ExternalApiCacheDeps;
  readonly #flights = createSingleFlight<CachedResult<unknown>>();

  constructor(deps: ExternalApiCacheDeps) {
    this.#deps = deps;
  }

  /** Returns a stored result or fetches it; concurrent callers share one request. */
  async get<T>(query: ExternalQuery<T>): Promise<CachedResult<T>> {
    const name = `${query.service} ${query.key}`;
    const result = await this.#flights.run(name, () => this.#read(query as ExternalQuery<unknown>));
    return result as CachedResult<T>;
  }

  async #read(query: ExternalQuery<unknown>): Promise<CachedResult<unknown>> {
    const stored = await this.#findOrFetch(query);
    const now = this.#deps.clock.now();
    return {
      value: stored?.value,
      isStale: !isCurrent(stored, now) || stored.hasFailed,
      fetchAgainAt: stored?.fetchAgainAt ?? now,
    };
  }

  async #findOrFetch(query: ExternalQuery<unknown>): Promise<StoredResult | undefined> {
    const { pool, prisma, clock } = this.#deps;
    const now = clock.now();
    const stored = await findResult(prisma, query, now);
    if (isCurrent(stored, now)) return stored;
    const hasClaim = await claimFetch(pool, query, { from: now, until: now + claimMs });
    return hasClaim ? this.#fetchAndStore(query, stored) : this.#waitForClaimant(query);
  }

  async #fetchAndStore(
    query: ExternalQuery<unknown>,
    stored: StoredResult | undefined,
  ): Promise<StoredResult> {
    const { prisma, clock, log } = this.#deps;
    const { service, key, freshMs, retryMs } = query;
    try {
      const value = await query.fetch();
      const fetchedAt = clock.now();
      const fetchAgainAt = fetchedAt + freshMs(value);
      await storeResult(prisma, { service, key }, { value, fetchedAt, fetchAgainAt });
      await deleteResults(prisma, fetchedAt - retentionMs);
      if (stored?.hasFailed) log.info({ service }, 'external service available again');
      return { value, hasFailed: false, fetchAgainAt, isClaimed: false };
    } catch (error) {
      log[stored?.hasFailed ? 'debug' : 'warn']({ err: error, service }, 'external service call failed');
      const fetchAgainAt = clock.now() + retryMs;
      await storeFailure(prisma, { service, key }, fetchAgainAt);
      return { value: stored?.value, hasFailed: true, fetchAgainAt, isClaimed: false };
    }
  }

  /** Waits for the process that is fetching, for a limited time. */
  async #waitForClaimant(key: ResultKey): Promise<StoredResult | undefined> {
    const { prisma, clock } = this.#deps;
    let stored = await findResult(prisma, key, clock.now());
    for (let polls = 1; stored?.isClaimed && polls < maxPolls; polls += 1) {
      await pause(pollIntervalMs);
      stored = await findResult(prisma, key, clock.now());
    }
    return stored;
  }
}

/** Whether a stored result or failure is used without a request. */
function isCurrent(stored: StoredResult | undefined, now: number): stored is StoredResult {
  return stored !== undefined && stored.fetchAgainAt > now;
}

/** Identifies one result: the service and the request. */
interface ResultKey {
  readonly service: string;
  readonly key: string;
}

/** A row of the cache. Times in ms. */
interface StoredResult {
  /** The last good result, undefined until there is one. */
  readonly value: unknown;
  readonly hasFailed: boolean;
  readonly fetchAgainAt: number;
  /** Whether a process is fetching now. */
  readonly isClaimed: boolean;
}

async function findResult(
  prisma: PrismaClient,
  { service, key }: ResultKey,
  now: number,
): Promise<StoredResult | undefined> {
  const row = await prisma.externalResult.findUnique({ where: { service_key: { service, key } } });
  if (!row) return undefined;
  const { value, fetchedAt, hasFailed, fetchAgainAt, claimedUntil } = row;
  return {
    value: fetchedAt ? value : undefined,
    hasFailed,
    fetchAgainAt: fetchAgainAt.getTime(),
    isClaimed: claimedUntil !== null && claimedUntil.getTime() > now,
  };
}

/**
 * Claims the right to fetch until a time; returns false when the stored result is fresh or another process has the
 * claim.
 */
async function claimFetch(
  pool: pg.Pool,
  { service, key }: ResultKey,
  span: { readonly from: number; readonly until: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO outside_answer AS old (service, key, ask_again_at, claimed_until) VALUES ($1, $2, $3, $4)
     ON CONFLICT (service, key) DO UPDATE SET claimed_until = EXCLUDED.claimed_until
     WHERE old.ask_again_at <= $3 AND coalesce(old.claimed_until <= $3, true)`,
    [service, key, new Date(span.from), new Date(span.until)],
  );
  return rowCount === 1;
}

/** Stores a good result and releases the claim. */
async function storeResult(
  prisma: PrismaClient,
  where: ResultKey,
  result: { readonly value: unknown; readonly fetchedAt: number; readonly fetchAgainAt: number },
): Promise<void> {
  const value = result.value === null ? Prisma.JsonNull : (result.value as Prisma.InputJsonValue);
  const times = { fetchedAt: new Date(result.fetchedAt), fetchAgainAt: new Date(result.fetchAgainAt) };
  await prisma.externalResult.updateMany({
    where,
    data: { value, ...times, hasFailed: false, claimedUntil: null },
  });
}

/** Stores a failure, keeps the last good result, and releases the claim. */
async function storeFailure(prisma: PrismaClient, where: ResultKey, fetchAgainAt: number): Promise<void> {
  await prisma.externalResult.updateMany({
    where,
    data: { fetchAgainAt: new Date(fetchAgainAt), hasFailed: true, claimedUntil: null },
  });
}

/** Deletes results fetched before a time, and rows without a result since then. */
async function deleteResults(prisma: PrismaClient, before: number): Promise<void> {
  const lt = new Date(before);
  await prisma.externalResult.deleteMany({
    where: { OR: [{ fetchedAt: { lt } }, { fetchedAt: null, fetchAgainAt: { lt } }] },
  });
}
