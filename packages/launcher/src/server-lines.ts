import type { Log } from './log.js';

const postgresLevels: Readonly<Record<string, keyof Log>> = {
  WARNING: 'warn',
  ERROR: 'warn',
  FATAL: 'warn',
  PANIC: 'error',
};
const natsLevels: Readonly<Record<string, keyof Log>> = { WRN: 'warn', ERR: 'warn', FTL: 'error' };

/**
 * Hands a line of PostgreSQL's log on when it tells of trouble. Its LOG lines (checkpoints, start, stop) and
 * what follows a message (DETAIL, STATEMENT) stay out.
 */
export function passPostgresLine(log: Log, line: string): void {
  const [, label = '', message = ''] = /^([A-Z]+): {2}(.*)$/.exec(line) ?? [];
  const level = postgresLevels[label];
  if (level !== undefined) log[level]({ server: 'postgres', severity: label }, message);
}

/** Hands a line of nats-server's log on when it tells of trouble. */
export function passNatsLine(log: Log, line: string): void {
  // The password that it warns of stands in a file for its owner alone.
  if (line.includes('Plaintext passwords detected')) return;
  const [, label = '', message = ''] = /\[(WRN|ERR|FTL)\] (.*)$/.exec(line) ?? [];
  const level = natsLevels[label];
  if (level !== undefined) log[level]({ server: 'nats', severity: label }, message);
}
