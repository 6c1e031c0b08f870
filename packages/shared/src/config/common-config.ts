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
    description: 'Port to listen on; 0 takes a free one',
  }),
  socketPath: Type.Optional(
    Type.String({ description: 'Unix socket to listen on instead of `HOST` and `PORT`' }),
  ),
  opsHost: Type.String({
    default: '127.0.0.1',
    description: 'Address of /livez, /readyz and /metrics, which are for those who run the hub',
  }),
  opsPort: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'Port of /livez, /readyz and /metrics; 0 takes a free one',
  }),
  reservedPort: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description:
        'When set, a free port is taken in the place of a `PORT` or `OPS_PORT` that another program has; this one, the port of the hub, is neither replaced nor taken',
    }),
  ),
  logLevel: literals(logLevels, { default: 'info', description: 'Minimum level that is logged' }),
  internalSecret: Type.Optional(
    Type.String({
      secret: true,
      description: 'Shared secret that the gateway proves itself with to the services',
    }),
  ),
};

/** Configuration of services with a database. */
export const databaseConfig = {
  databaseUrl: Type.String({ secret: true, description: 'PostgreSQL connection URL' }),
  databaseReadUrl: Type.Optional(
    Type.String({ secret: true, description: 'PostgreSQL URL of a replica for reads' }),
  ),
  databasePoolSize: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 200,
    description: 'Maximum number of database connections of one service',
  }),
};

/** Configuration of services that use the event stream. */
export const busConfig = {
  natsUrl: Type.String({
    default: 'nats://127.0.0.1:4222',
    secret: true,
    description: 'NATS servers, comma separated; user and password may stand in the URL',
  }),
};

/** Configuration of services that access files. */
export const filesConfig = {
  dataDir: Type.String({ default: './data', description: 'Folder of everything the hub keeps on disk' }),
  recordingsDir: Type.Optional(
    Type.String({ description: 'Folder of the recordings; `DATA_DIR/recordings` when not set' }),
  ),
};

/** Configuration of services that decode videos. */
export const mediaConfig = {
  ffmpegPath: Type.String({ default: 'ffmpeg', description: 'Program that decodes videos, by name or path' }),
  ffprobePath: Type.String({
    default: 'ffprobe',
    description: 'Program that lists what is in videos, by name or path',
  }),
};

/** Configuration of services that work with days. */
export const zoneConfig = {
  tz: Type.Optional(Type.String({ description: 'Zone of the host, used until settings name one' })),
};

/** Configuration of services that open the secrets of the settings. */
export const secretsConfig = {
  dataDir: filesConfig.dataDir,
  secretsKey: Type.Optional(
    Type.String({
      secret: true,
      pattern: '[^,\\s]',
      description:
        'Key that secrets of the settings are sealed with, such as 32 random bytes in base64; several are separated by commas: the first seals, all open. Made in `DATA_DIR/settings.key` when not set',
    }),
  ),
};

/** Configuration of services that write URLs of the hub. */
export const basePathConfig = {
  basePath: Type.String({
    default: '',
    pattern: '^(/[\\w.~-]+)*/?$',
    description: 'Path below which the hub is served, such as `/birds`; empty for the root',
  }),
};

/** Configuration of services that connect to user-supplied addresses. */
export const addressesConfig = {
  hubAddresses: Type.Optional(
    Type.String({
      description:
        'Where services of the hub listen, separated by commas: `host:port`, or the port alone on this machine. Sources are not read from there and notifications not sent there; those of `DATABASE_URL`, `NATS_URL`, `PORT` and `OPS_PORT` need not be named',
    }),
  ),
};
