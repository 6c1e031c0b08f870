// `npm run soak`: loads a new hub for half an hour, and checks that only its data grows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestHub, stopTestHubs } from '@birdhub/testing/hub';
import { describeMachine } from '../bench/report/machine.js';
import { toText } from '../bench/report/table.js';
import { hasProc } from '../bench/run/proc.js';
import { minMinutesToStore, OptionError, readOptions, type SoakOptions, usage } from './options.js';
import { checkTable } from './report/check-table.js';
import { sizeTable } from './report/size-table.js';
import { spanTable } from './report/span-table.js';
import { writeSection } from './report/write-section.js';
import { runSoak } from './run-soak.js';
import { judgeGrowth } from './verdict/judge-growth.js';
import { judgeLoads } from './verdict/judge-loads.js';
import { judgeOutcome } from './verdict/judge-outcome.js';
import { judgeTables } from './verdict/judge-tables.js';
import type { Span } from './watch/span.js';

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());

function printSpan(span: Span): void {
  const [titles, line] = toText(spanTable([span])).split('\n');
  if (!isTitled) console.log(titles);
  isTitled = true;
  console.log(line);
}
let isTitled = false;

async function soak(options: SoakOptions): Promise<boolean> {
  if (!hasProc) throw new Error('memory is read from /proc, which is missing on this system');
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-soak-'));
  try {
    const hub = await startTestHub({ dataDir: join(folder, 'data') });
    const machine = await describeMachine(hub.databaseUrl);
    const result = await runSoak({ options, hub, onSpan: printSpan, signal: ended.signal });
    const checks = [
      ...judgeLoads(result.loads),
      ...judgeOutcome(result.outcome),
      ...judgeGrowth(result.spans),
      ...judgeTables(result.spans),
    ];
    console.log(`\n${toText(sizeTable(result.spans))}\n\n${toText(checkTable(checks))}`);
    if (options.minutes >= minMinutesToStore) await writeSection(options, machine, result, checks);
    return checks.every(({ isKept }) => isKept);
  } finally {
    await stopTestHubs();
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  const isKept = await soak(readOptions(process.argv.slice(2)));
  console.log(isKept ? '\nAll checks passed.' : '\nSome checks failed.');
  process.exitCode = isKept ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof OptionError ? `${error.message}\n\n${usage}` : error);
}
