import { describe, expect, it } from 'vitest';
import { createLog } from './log.js';
import { passNatsLine, passPostgresLine } from './server-lines.js';

function linesOf(work: (log: ReturnType<typeof createLog>) => void): object[] {
  const lines: object[] = [];
  work(createLog('launcher', (line) => lines.push(JSON.parse(line))));
  return lines;
}

describe('passPostgresLine', () => {
  it('a message of trouble, is handed on with its severity', () => {
    const [line] = linesOf((log) =>
      passPostgresLine(log, 'FATAL:  could not write: No space left on device'),
    );
    expect(line).toMatchObject({
      level: 'warn',
      severity: 'FATAL',
      msg: 'could not write: No space left on device',
    });
  });

  it('a panic, is an error', () => {
    const [line] = linesOf((log) => passPostgresLine(log, 'PANIC:  could not locate a valid checkpoint'));
    expect(line).toMatchObject({ level: 'error' });
  });

  it.each(['LOG:  checkpoint starting: time', 'STATEMENT:  SELECT 1', ''])(
    'the line "%s", is left out',
    (text) => {
      expect(linesOf((log) => passPostgresLine(log, text))).toEqual([]);
    },
  );
});

describe('passNatsLine', () => {
  it('a warning, is handed on without its time', () => {
    const text = '[12] 2026/05/01 10:00:00.000000 [WRN] JetStream resource limits exceeded';
    const [line] = linesOf((log) => passNatsLine(log, text));
    expect(line).toMatchObject({ level: 'warn', severity: 'WRN', msg: 'JetStream resource limits exceeded' });
  });

  it('a note, is left out', () => {
    expect(linesOf((log) => passNatsLine(log, '[12] 2026/05/01 10:00:00.0 [INF] Server is ready'))).toEqual(
      [],
    );
  });
});
