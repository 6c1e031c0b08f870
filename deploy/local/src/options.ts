import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LauncherError } from './launcher-error.js';

/** What the environment asks of the launcher. */
export type Options = {
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Empty, or a path that starts with a slash and does not end with one. */
  readonly basePath: string;
  /** A PostgreSQL and a NATS of one's own instead of the embedded ones. */
  readonly databaseUrl: string | undefined;
  readonly natsUrl: string | undefined;
  readonly internalSecret: string | undefined;
  /** Keys of the secrets of the settings; those of a file in the data folder without it. */
  readonly secretsKey: string | undefined;
  /** What the keys in a backup are wrapped with; as they are without it. */
  readonly backupPassphraseFile: string | undefined;
  /** Where the command was typed, to which the files it names are relative. */
  readonly callerDir: string;
  readonly isSingleProcess: boolean;
};

/** @throws LauncherError when a variable is not right */
export function readOptions(env: NodeJS.ProcessEnv, repository: string): Options {
  const dataDir = resolve(repository, env['DATA_DIR'] || 'data');
  return {
    dataDir,
    recordingsDir: env['RECORDINGS_DIR']
      ? resolve(repository, env['RECORDINGS_DIR'])
      : join(dataDir, 'recordings'),
    host: env['HOST'] || '0.0.0.0',
    port: readPort(env['PORT'] || '8080'),
    basePath: normalizeBasePath(env['BASE_PATH'] ?? ''),
    databaseUrl: readDatabaseUrl(env),
    natsUrl: readSecret(env, 'NATS_URL'),
    internalSecret: readSecret(env, 'INTERNAL_SECRET'),
    secretsKey: readSecret(env, 'SECRETS_KEY'),
    backupPassphraseFile: env['BACKUP_PASSPHRASE_FILE'] || undefined,
    callerDir: env['INIT_CWD'] || '.',
    isSingleProcess: env['HUB_SINGLE_PROCESS'] === '1',
  };
}

/** Where the keys of the secrets of the settings are, as the services take it from their environment. */
export function secretsConfigOf({ dataDir, secretsKey }: Options): { dataDir: string; secretsKey?: string } {
  return { dataDir, ...(secretsKey !== undefined && { secretsKey }) };
}

/** The names of the environment's variables that {@link readOptions} has resolved, in the form of a file's name. */
export const fileVariables = ['DATABASE_URL_FILE', 'NATS_URL_FILE', 'INTERNAL_SECRET_FILE'] as const;

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new LauncherError(`PORT must be a number from 0 to 65535, not "${text}".`);
}

function normalizeBasePath(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

function readDatabaseUrl(env: NodeJS.ProcessEnv): string | undefined {
  const url = readSecret(env, 'DATABASE_URL');
  if (url === undefined || /^postgres(ql)?:\/\//i.test(url)) return url;
  throw new LauncherError(
    'DATABASE_URL must be an address such as postgresql://user:password@host/database.',
  );
}

function readSecret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (cause) {
    throw new LauncherError(`The file that ${name}_FILE names cannot be read: ${file}`, { cause });
  }
}
