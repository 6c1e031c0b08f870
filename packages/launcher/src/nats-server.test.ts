import { describe, expect, it } from 'vitest';
import { createLog } from './log.js';
import { logNatsLine } from './nats-server.js';

function linesOf(work: (log: ReturnType<typeof createLog>) => void): object[] {
  const lines: object[] = [];
  work(createLog('launcher', (line) => lines.push(JSON.parse(line))));
  return lines;
}

describe('logNatsLine', () => {
  it('a warning, is logged without its own timestamp', () => {
    const text = '[12] 2026/05/01 10:00:00.000000 [WRN] JetStream resource limits exceeded';
    const [line] = linesOf((log) => logNatsLine(log, text));
    expect(line).toMatchObject({ level: 'warn', severity: 'WRN', msg: 'JetStream resource limits exceeded' });
  });

  it('an informational line, is dropped', () => {
    expect(linesOf((log) => logNatsLine(log, '[12] 2026/05/01 10:00:00.0 [INF] Server is ready'))).toEqual(
      [],
    );
  });
});
