import { LauncherError } from '@birdhub/launcher/launcher-error';
import { errorMessage } from '@birdhub/shared/errors';

type Sentence = (file: string) => string;

const unwritable: Sentence = (file) =>
  `${file} cannot be written: this user has no permission, or the disk is read-only.`;

const writing: Readonly<Record<string, Sentence>> = {
  ENOENT: (file) => `${file} cannot be written: its folder does not exist.`,
  ENOTDIR: (file) => `${file} cannot be written: its folder does not exist.`,
  EACCES: unwritable,
  EPERM: unwritable,
  EROFS: unwritable,
  ENOSPC: (file) => `${file} cannot be written: the disk is full.`,
  EDQUOT: (file) => `${file} cannot be written: the disk is full.`,
};

const reading: Readonly<Record<string, Sentence>> = {
  ENOENT: (file) => `There is no file ${file}.`,
  EACCES: (file) => `${file} cannot be read by this user.`,
  EISDIR: (file) => `${file} is a folder, not a backup.`,
};

const unreachable: Sentence = () =>
  'The database cannot be reached: it is not running, or DATABASE_URL is wrong.';

const database: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  ETIMEDOUT: unreachable,
  '28P01': () => 'The database rejects the user or the password in DATABASE_URL.',
  '28000': () => 'The database rejects the user or the password in DATABASE_URL.',
  '3D000': () => 'The database named in DATABASE_URL does not exist.',
  '42501': () => 'The user in DATABASE_URL does not own the database. Nothing was changed.',
  '53100': () => 'The disk of the database is full. Nothing was changed.',
  '55P03': () => 'Another connection holds a lock in the database. Nothing was changed.',
};

/** Returns a readable error for a failure to write a file; other errors are returned unchanged. */
export function explainWriteError(error: unknown, file: string): unknown {
  return explain(error, writing, file);
}

/** Returns a readable error for a file that is missing or is not a complete archive. */
export function explainReadError(error: unknown, file: string): unknown {
  const explained = explain(error, reading, file);
  if (explained !== error || error instanceof LauncherError) return explained;
  const reason = errorMessage(error);
  if (reason === 'incorrect header check') return new LauncherError(`${file} is not a backup of Birdhub.`);
  return new LauncherError(`${file} is damaged (${reason}). Nothing was changed.`, { cause: error });
}

/**
 * Returns a readable error for a database that is missing or refuses the connection; other errors are returned
 * unchanged.
 */
export function explainDatabaseError(error: unknown): unknown {
  return explain(error, database, '');
}

/** Returns a readable error for a restore that failed. */
export function explainRestoreError(error: unknown): LauncherError {
  const explained = explainDatabaseError(error);
  if (explained instanceof LauncherError) return explained;
  const reasons = error instanceof Error && error.cause instanceof Error ? [error, error.cause] : [error];
  const text = reasons.map(errorMessage).join(': ');
  return new LauncherError(`The backup was not restored (${text}). Nothing was changed.`, { cause: error });
}

function explain(error: unknown, sentences: Readonly<Record<string, Sentence>>, file: string): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error;
  const sentence = Object.hasOwn(sentences, error.code) ? sentences[error.code] : undefined;
  return sentence === undefined ? error : new LauncherError(sentence(file), { cause: error });
}
