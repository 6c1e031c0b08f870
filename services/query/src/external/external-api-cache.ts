import { setTimeout as pause } from 'node:timers/promises';
import { createSingleFlight } from '@birdhub/shared/async';
import { Prisma, type PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';

/** A request to an external service. Equal service and key have equal results. */
export interface ExternalQuery<T> extends ResultKey {
  /** How long a result is fresh, in ms. */
  freshMs(value: T): number;
  /** Time without requests after a failure, in ms. */
  readonly retryMs: number;
  fetch(): Promise<T>;
}

/** The cached value: undefined when no request has succeeded. */
export interface CachedResult<T> {
  readonly value: T | undefined;
  /** Whether the last attempt to refresh it failed. */
  readonly isStale: boolean;
  /** When it is fetched again, in ms. */
  readonly fetchAgainAt: number;
}

/** What the cache works with. */
export interface ExternalApiCacheDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Longer than any request takes: the process that claimed it is gone by then. */
const claimMs = 10_000;
/** How long a reader waits for the process that is fetching: 4.4 seconds. */
const pollIntervalMs = 100;
const maxPolls = 45;
const retentionMs = 60 * 86_400_000;

/**
 * Results of external services, stored in the database for all processes. The row is also the claim of the process that
 * fetches, so that there is one request at a time however many processes want it. When the service fails, the last good
 * result is returned as stale.
 */
export class ExternalApiCache {
  readonly #deps: ExternalApiCacheDeps;
  readonly #flights = createSingleFlight<CachedResult<unknown>>();

  constructor(deps: ExternalApiCacheDeps) {
    this.#deps = deps;
  }

  /** Fetches when no fresh result is stored; all who want the same at that moment share one request. */
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
    const isMine = await claimFetch(pool, query, { from: now, until: now + claimMs });
    return isMine ? this.#fetchAndStore(query, stored) : this.#waitForClaimant(query);
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
      if (stored?.hasFailed) log.info({ service }, 'external service called successfully again');
      return { value, hasFailed: false, fetchAgainAt, isClaimed: false };
    } catch (error) {
      log[stored?.hasFailed ? 'debug' : 'warn']({ err: error, service }, 'external service not called');
      const fetchAgainAt = clock.now() + retryMs;
      await storeFailure(prisma, { service, key }, fetchAgainAt);
      return { value: stored?.value, hasFailed: true, fetchAgainAt, isClaimed: false };
    }
  }

  /** Waits for the process that is fetching, as long as a reader can be made to wait. */
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

/** Whether a stored result, good or failed, is used without asking the service. */
function isCurrent(stored: StoredResult | undefined, now: number): stored is StoredResult {
  return stored !== undefined && stored.fetchAgainAt > now;
}

/** Identifies one result: the service and the request. */
interface ResultKey {
  readonly service: string;
  readonly key: string;
}

/** A row of the cache; times in ms. */
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
  const row = await prisma.outsideAnswer.findUnique({ where: { service_key: { service, key } } });
  if (!row) return undefined;
  const { value, fetchedAt, hasFailed, askAgainAt, claimedUntil } = row;
  return {
    value: fetchedAt ? value : undefined,
    hasFailed,
    fetchAgainAt: askAgainAt.getTime(),
    isClaimed: claimedUntil !== null && claimedUntil.getTime() > now,
  };
}

/** Claims the right to fetch until a time; false when the stored result is still good or another process has the claim. */
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
  const times = { fetchedAt: new Date(result.fetchedAt), askAgainAt: new Date(result.fetchAgainAt) };
  await prisma.outsideAnswer.updateMany({
    where,
    data: { value, ...times, hasFailed: false, claimedUntil: null },
  });
}

/** Stores that it failed, keeps the last good result, and releases the claim. */
async function storeFailure(prisma: PrismaClient, where: ResultKey, fetchAgainAt: number): Promise<void> {
  await prisma.outsideAnswer.updateMany({
    where,
    data: { askAgainAt: new Date(fetchAgainAt), hasFailed: true, claimedUntil: null },
  });
}

/** Deletes results fetched before a time, and rows that had none since then. */
async function deleteResults(prisma: PrismaClient, before: number): Promise<void> {
  const lt = new Date(before);
  await prisma.outsideAnswer.deleteMany({
    where: { OR: [{ fetchedAt: { lt } }, { fetchedAt: null, askAgainAt: { lt } }] },
  });
}
