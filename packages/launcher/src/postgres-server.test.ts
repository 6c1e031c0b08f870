import { describe, expect, it } from 'vitest';
import { createLog } from './log.js';
import { logPostgresLine, toArguments } from './postgres-server.js';

describe('toArguments', () => {
  it('without settings, makes every commit durable', () => {
    expect(toArguments()).toEqual(expect.arrayContaining(['fsync=on', 'synchronous_commit=on']));
  });

  it('without settings, listens on no network address', () => {
    expect(toArguments()).toContain('listen_addresses=');
  });

  it('a given setting, replaces the default', () => {
    const fsync = toArguments({ fsync: 'off' }).filter((argument) => argument.startsWith('fsync='));
    expect(fsync).toEqual(['fsync=off']);
  });
});

function linesOf(work: (log: ReturnType<typeof createLog>) => void): object[] {
  const lines: object[] = [];
  work(createLog('launcher', (line) => lines.push(JSON.parse(line))));
  return lines;
}

describe('logPostgresLine', () => {
  it('a fatal error, is logged as a warning with its severity', () => {
    const [line] = linesOf((log) => logPostgresLine(log, 'FATAL:  could not write: No space left on device'));
    expect(line).toMatchObject({
      level: 'warn',
      severity: 'FATAL',
      msg: 'could not write: No space left on device',
    });
  });

  it('a panic, is logged as an error', () => {
    const [line] = linesOf((log) => logPostgresLine(log, 'PANIC:  could not locate a valid checkpoint'));
    expect(line).toMatchObject({ level: 'error' });
  });

  it.each(['LOG:  checkpoint starting: time', 'STATEMENT:  SELECT 1', ''])(
    'the line "%s", is dropped',
    (text) => {
      expect(linesOf((log) => logPostgresLine(log, text))).toEqual([]);
    },
  );
});
