import type pg from 'pg';

/**
 * All advisory locks of the hub by name, so that no key is used twice. There are three kinds of keys: a single number,
 * a pair of a class and a number, and a name that is hashed to a number.
 */

/** Single numbers. */
export const lockKeys = {
  /** Migrations of the database, one process at a time. */
  migration: 7_201_001,
  /** Names of species are assigned. */
  speciesNames: 7_201_002,
  /** Access tokens are created and revoked. */
  accessTokens: 7_201_003,
  /** Shares are created. */
  shares: 7_201_014,
} as const;

/** First numbers of pairs; each comment describes the second number. */
export const lockClasses = {
  /** 0: visits by the rule; shared by writers, exclusive while the rule or all visits change. */
  visitRule: 7_201,
  /** Hash of the key of a recording that is being written. */
  recording: 7_202,
  /** Id of a species whose visits change. */
  species: 7_203,
  /** Hash of a client's address whose attempts to unlock are counted. */
  unlockAttempts: 7_204,
  /** 0: the list of active species is replaced. */
  activeSpecies: 7_205,
} as const;

/** Names that are hashed; the comments describe the work under the lock. */
export const lockNames = {
  /** Rules of notifications are created, moved and deleted. */
  alertRules: 'birdhub.alert-rules',
  /** Events of the outbox are published. */
  outbox: 'birdhub.outbox',
  /** Files of recordings are deleted to free space. */
  purge: 'birdhub.clearing',
  /** Rows of the activity log that are too old are deleted. */
  activityPruning: 'birdhub.activity-pruning',
  /** The taxonomy of eBird is fetched. */
  ebirdTaxonomy: 'birdhub.ebird-taxonomy',
  /** The demo is filled, continued or removed. */
  demo: 'birdhub.demo',
  derivedMedia: 'birdhub.derived-media',
  speciesKnowledge: 'birdhub.species-knowledge',
  /** Feeders are opened, or closed after being left open. */
  feeder: 'birdhub.feeder',
  importBirdLense: 'birdhub.import-birdlense',
  /** Posts are consumed from the MQTT broker. */
  mqttPosts: 'birdhub.mqtt-posts',
  /** Pictures of notices are stored and the oldest deleted. */
  noticePictures: 'birdhub.notice-pictures',
  restart: 'birdhub.restart',
  /** Species are repaired, or a repair is reverted. */
  speciesTidy: 'birdhub.species-tidy',
  /** Sources are read. */
  sources: 'birdhub.sources',
  subscriptions: 'birdhub.subscriptions',
} as const;

/** Prefixes of names that are hashed; each comment describes the rest of the name. */
export const lockPrefixes = {
  /** The kind of a job. */
  job: 'birdhub.job.',
  /** The key of a notification. */
  notification: 'birdhub.notification.',
} as const;

/** A lock that {@link withAdvisoryLock} can hold. */
export type LockName = (typeof lockNames)[keyof typeof lockNames] | `${typeof lockPrefixes.job}${string}`;

/** Returns SQL for the key of a name that is given as SQL. */
export const hashedKey = (name: string) => `hashtextextended(${name}, 0)`;

/** Returns SQL for the key of a name. */
export const keyOf = (name: LockName) => hashedKey(`'${name}'`);

/** Interval and timeout of checks of the connection, as a dead connection looks like an idle one. */
const checkIntervalMs = 15_000;

/**
 * Runs work while holding a lock; returns undefined without running it when another process holds the lock. PostgreSQL
 * releases the lock of a crashed process. The signal fires when the connection that holds the lock is lost.
 */
export async function withAdvisoryLock<T>(
  pool: pg.Pool,
  lock: LockName,
  work: (lost: AbortSignal) => Promise<T>,
  timeoutMs = checkIntervalMs,
): Promise<{ readonly result: T } | undefined> {
  const client = await pool.connect();
  let isBroken = false;
  const lost = new AbortController();
  // The connection is idle during the work; without a listener its loss would crash the process.
  const lose = () => {
    isBroken = true;
    lost.abort(new Error('the connection that holds the lock was lost'));
  };
  client.on('error', lose);
  try {
    const { rows } = await client.query<{ held: boolean }>(
      `SELECT pg_try_advisory_lock(${hashedKey('$1')}) AS held`,
      [lock],
    );
    if (!rows[0]?.held) return undefined;
    const timeout = { query_timeout: timeoutMs };
    const query = (text: string, values: string[] = []) =>
      client.query({ text, values, ...timeout }).catch(lose);
    const check = setInterval(() => void query('SELECT 1'), timeoutMs);
    try {
      return { result: await work(lost.signal) };
    } finally {
      clearInterval(check);
      await query(`SELECT pg_advisory_unlock(${hashedKey('$1')})`, [lock]);
    }
  } finally {
    client.off('error', lose);
    client.release(isBroken);
  }
}
