import type { Digest } from './archive.js';

/** Raised when a reader of the last one would misread the new one. */
export const backupFormat = 1;

/** The first entry of a backup: whether this version can read it. */
export type Heading = {
  readonly format: number;
  readonly hub_version: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** The migrations that its database had, oldest first. */
  readonly migrations: readonly string[];
};

export type BackedUpTable = Digest & {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
};

/** The last entry of a backup: what all the others must be. */
export type Manifest = Heading & {
  readonly tables: readonly BackedUpTable[];
  readonly sequences: readonly SequenceState[];
  readonly settings_keys: Digest;
  readonly recordings: Digest & { readonly files: number };
};

/** The number a sequence gave last, as text, as it may be larger than a double holds. */
export type SequenceState = { readonly name: string; readonly last: string };

/** The names of the entries; a table's rows are parts of `data/<table>`. */
export const entryNames = {
  heading: 'backup.json',
  settingsKeys: 'settings-keys.json',
  recordings: 'recordings.jsonl',
  manifest: 'manifest.json',
} as const;

export const sectionOfTable = (name: string) => `data/${name}`;

/**
 * Tables whose rows stay where they are: sessions must not come back to life, and who is locked out for a minute is
 * no history.
 */
export const notCarried: readonly string[] = ['session', 'unlock_attempt'];
