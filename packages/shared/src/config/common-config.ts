import { join, resolve } from 'node:path';
import { Type } from 'typebox';
import { logLevels } from '../log/index.js';

/** Returns the schema of a string from a list; `enum` in the published document. */
export function literals<const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options });
}

/** Configuration of every service. */
export const commonConfig = {
  host: Type.String({ default: '127.0.0.1', description: 'Address to listen on' }),
  port: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 for a free port',
  }),
  socketPath: Type.Optional(
    Type.String({ description: 'Unix socket to listen on instead of `HOST` and `PORT`' }),
  ),
  opsHost: Type.String({
    default: '127.0.0.1',
    description: 'Address for /livez, /readyz and /metrics, which are for operators of the hub',
  }),
  opsPort: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'Port for /livez, /readyz and /metrics; 0 for a free port',
  }),
  reservedPort: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description:
        'Public port of the hub. When set, a service whose `PORT` or `OPS_PORT` is in use by ' +
        'another program listens on a free port instead; the public port itself is neither ' +
        'replaced nor used as a free port',
    }),
  ),
  logLevel: literals(logLevels, { default: 'info', description: 'Minimum log level' }),
  internalSecret: Type.Optional(
    Type.String({
      secret: true,
      description: 'Shared secret with which the gateway authenticates to the services',
    }),
  ),
};

/** Configuration of services with a database. */
export const databaseConfig = {
  databaseUrl: Type.String({ secret: true, description: 'PostgreSQL connection URL' }),
  databaseReadUrl: Type.Optional(
    Type.String({ secret: true, description: 'PostgreSQL connection URL of a read replica' }),
  ),
  databasePoolSize: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 200,
    description: 'Maximum number of database connections per service',
  }),
};

/** Configuration of services that use the event stream. */
export const busConfig = {
  natsUrl: Type.String({
    default: 'nats://127.0.0.1:4222',
    secret: true,
    description: 'URLs of the NATS servers, separated by commas; a URL may contain a user name and password',
  }),
};

/** Configuration of services that access files. */
export const filesConfig = {
  dataDir: Type.String({ default: './data', description: 'Folder for all data that the hub stores on disk' }),
  recordingsDir: Type.Optional(
    Type.String({ description: 'Folder of the recordings; defaults to `DATA_DIR/recordings`' }),
  ),
};

/** Returns the absolute paths of the folders in {@link filesConfig}. */
export function foldersOf(config: { readonly dataDir: string; readonly recordingsDir?: string }) {
  const dataDir = resolve(config.dataDir);
  return { dataDir, recordingsDir: resolve(config.recordingsDir ?? join(dataDir, 'recordings')) };
}

/** Configuration of services that decode videos. */
export const mediaConfig = {
  ffmpegPath: Type.String({
    default: 'ffmpeg',
    description: 'Name or path of the ffmpeg program, which decodes recordings',
  }),
  ffprobePath: Type.String({
    default: 'ffprobe',
    description: 'Name or path of the ffprobe program, which reads the properties of media files',
  }),
};

/** Configuration of services that compute calendar days. */
export const zoneConfig = {
  tz: Type.Optional(
    Type.String({ description: 'Time zone of the host, used until one is set in the settings' }),
  ),
};

/** Configuration of services that decrypt the secrets in the settings. */
export const secretsConfig = {
  dataDir: filesConfig.dataDir,
  secretsKey: Type.Optional(
    Type.String({
      secret: true,
      pattern: '[^,\\s]',
      description:
        'Key with which secrets in the settings are encrypted, such as 32 random bytes in base64. Several ' +
        'keys are separated by commas: the first key encrypts, all keys can decrypt. Created in ' +
        '`DATA_DIR/settings.key` when not set',
    }),
  ),
};

/** Configuration of services that generate URLs of the hub. */
export const basePathConfig = {
  basePath: Type.String({
    default: '',
    pattern: '^(/[\\w.~-]+)*/?$',
    description: 'Path under which the hub is served, such as `/birds`; empty for the root',
  }),
};

/** Configuration of services that connect to user-supplied addresses. */
export const addressesConfig = {
  hubAddresses: Type.Optional(
    Type.String({
      description:
        'Addresses on which services of the hub listen, separated by commas: `host:port`, or only ' +
        'the port for this machine. The hub does not read sources from these addresses and does not ' +
        'send notifications to them. The addresses in `DATABASE_URL`, `NATS_URL`, `PORT` and ' +
        '`OPS_PORT` need not be listed',
    }),
  ),
};
