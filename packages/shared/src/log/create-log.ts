import { type DestinationStream, type Logger, pino } from 'pino';

/** The levels that `LOG_LEVEL` may name. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** One of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number];

const secretPaths = ['password', 'token', 'secret', 'authorization', 'cookie', 'api_key', 'private_key'];

/** Creates a JSON logger that adds the name of the service to each line and redacts secrets. */
export function createLog(service: string, level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: secretPaths.flatMap((path) => [path, `*.${path}`]), censor: '***' },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}
