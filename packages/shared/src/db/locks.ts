/**
 * Every advisory lock of the hub, by name, so that no number stands for two things. PostgreSQL knows three kinds of
 * keys that do not meet: a single number, a class with a number in it, and, hashed to a single number, a name.
 */

/** Single numbers. */
export const lockKeys = {
  /** Migrations of the database, one process at a time. */
  migration: 7_201_001,
  /** Names of species are given. */
  speciesNames: 7_201_002,
} as const;

/** First numbers of pairs; what the second one is says the comment. */
export const lockClasses = {
  /** 0: visits by the rule; shared by writers, alone while the rule or all visits change. */
  visitRule: 7_201,
  /** Hash of a recording's key: that recording is written. */
  recording: 7_202,
  /** Id of a species: its visits change. */
  species: 7_203,
  /** Hash of a client's address: its attempts to unlock are counted. */
  unlockAttempts: 7_204,
  /** 0: the list of active species is replaced. */
  activeSpecies: 7_205,
} as const;

/** Names of what is locked whole. */
export const lockNames = {
  /** Events are taken out of the outbox and published. */
  outbox: 'birdhub.outbox',
  /** Files of recordings are cleared. */
  clearing: 'birdhub.clearing',
  /** Rows of the activity log that are too old are deleted. */
  activityPruning: 'birdhub.activity-pruning',
  derivedMedia: 'birdhub.derived-media',
  speciesKnowledge: 'birdhub.species-knowledge',
  /** Feeders are opened, and closed when they were left open. */
  feeder: 'birdhub.feeder',
  importBirdLense: 'birdhub.import-birdlense',
  /** Pictures of announcements are kept and the oldest go. */
  noticePictures: 'birdhub.notice-pictures',
  restart: 'birdhub.restart',
  subscriptions: 'birdhub.subscriptions',
} as const;

/** Beginnings of names; what comes after says the comment. */
export const lockPrefixes = {
  /** The kind of a job. */
  job: 'birdhub.job.',
  /** The key of what a notification is about. */
  notification: 'birdhub.notification.',
} as const;

/** What a process may hold the lock of for as long as it works. */
export type LockName = (typeof lockNames)[keyof typeof lockNames] | `${typeof lockPrefixes.job}${string}`;

/** SQL: the number that a name, given as SQL, is locked by. */
export const hashedKey = (name: string) => `hashtextextended(${name}, 0)`;

/** SQL: the number that a name is locked by. */
export const keyOf = (name: LockName) => hashedKey(`'${name}'`);
