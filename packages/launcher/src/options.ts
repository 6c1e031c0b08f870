import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LauncherError } from './launcher-error.js';
import { type ServiceName, serviceNames } from './service-addresses.js';

/** The options of the launcher, from the environment. */
export interface Options {
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Host and configured ports of the metrics of services. */
  readonly opsHost: string;
  readonly opsPorts: Readonly<Partial<Record<ServiceName, number>>>;
  /** Empty, or a path with a leading and without a trailing slash. */
  readonly basePath: string;
  /** URLs of an external PostgreSQL and NATS; undefined for the embedded ones. */
  readonly databaseUrl: string | undefined;
  readonly natsUrl: string | undefined;
  readonly internalSecret: string | undefined;
  /** Keys for secrets; default: those of a file in the data folder. */
  readonly secretsKey: string | undefined;
  /** File of the passphrase that encrypts the keys in a backup; without it they are stored in clear. */
  readonly backupPassphraseFile: string | undefined;
  /** Working directory of the caller, to which paths are relative. */
  readonly callerDir: string;
  readonly isSingleProcess: boolean;
  /** Ops ports of services that run without this launcher, for example in containers. */
  readonly opsUrls: readonly URL[] | undefined;
}

/** Reads the options. @throws LauncherError when a variable is invalid */
export function readOptions(env: NodeJS.ProcessEnv, root: string): Options {
  const dataDir = resolve(root, env['DATA_DIR'] || 'data');
  const port = readPort('PORT', env['PORT'] || '8080', 0);
  return {
    dataDir,
    recordingsDir: env['RECORDINGS_DIR'] ? resolve(root, env['RECORDINGS_DIR']) : join(dataDir, 'recordings'),
    host: env['HOST'] || '0.0.0.0',
    port,
    opsHost: env['OPS_HOST'] || '127.0.0.1',
    opsPorts: readOpsPorts(env, port),
    basePath: normalizeBasePath(env['BASE_PATH'] ?? ''),
    databaseUrl: readDatabaseUrl(env),
    natsUrl: readSecret(env, 'NATS_URL'),
    internalSecret: readSecret(env, 'INTERNAL_SECRET'),
    secretsKey: readSecret(env, 'SECRETS_KEY'),
    backupPassphraseFile: env['BACKUP_PASSPHRASE_FILE'] || undefined,
    callerDir: env['INIT_CWD'] || '.',
    isSingleProcess: env['HUB_SINGLE_PROCESS'] === '1',
    opsUrls: readOpsUrls(env['HUB_OPS_URLS']),
  };
}

/** Returns the configuration of the keys for secrets, as the services read it from their environment. */
export function secretsConfigOf({ dataDir, secretsKey }: Options): { dataDir: string; secretsKey?: string } {
  return { dataDir, ...(secretsKey !== undefined && { secretsKey }) };
}

/** The `_FILE` variables that {@link readOptions} resolves. */
export const fileVariables = ['DATABASE_URL_FILE', 'NATS_URL_FILE', 'INTERNAL_SECRET_FILE'] as const;

function readPort(variable: string, text: string, min: number): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= min && port <= 65_535) return port;
  throw new LauncherError(`${variable} must be a number from ${min} to 65535, not "${text}".`);
}

/** Returns the variable for the ops port of a service. */
export const opsPortVariable = (name: ServiceName) => `${name.toUpperCase()}_OPS_PORT`;

function readOpsPorts(env: NodeJS.ProcessEnv, hubPort: number): Partial<Record<ServiceName, number>> {
  const variableOf = new Map([[hubPort, 'PORT']]);
  const ports: Partial<Record<ServiceName, number>> = {};
  for (const name of serviceNames) {
    const variable = opsPortVariable(name);
    const text = env[variable];
    if (!text) continue;
    const port = readPort(variable, text, 1);
    const other = variableOf.get(port);
    if (other !== undefined) throw new LauncherError(`${variable} is the same port as ${other}: ${port}.`);
    variableOf.set(port, variable);
    ports[name] = port;
  }
  return ports;
}

function normalizeBasePath(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

function readOpsUrls(text: string | undefined): URL[] | undefined {
  if (!text) return undefined;
  return text.split(',').map((part) => {
    const url = URL.canParse(part) ? new URL(part) : undefined;
    if (url?.protocol === 'http:') return url;
    throw new LauncherError(
      `HUB_OPS_URLS must be URLs such as http://query:9464 separated by commas; "${part}" is not one.`,
    );
  });
}

function readDatabaseUrl(env: NodeJS.ProcessEnv): string | undefined {
  const url = readSecret(env, 'DATABASE_URL');
  if (url === undefined || /^postgres(ql)?:\/\//i.test(url)) return url;
  throw new LauncherError('DATABASE_URL must be a URL such as postgresql://user:password@host/database.');
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

/** The repository of this launcher, with a trailing slash. */
export const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** Returns the version of the hub. */
export function hubVersion(): string {
  return readFileSync(join(repository, 'VERSION'), 'utf8').trim();
}
