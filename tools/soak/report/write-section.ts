import { readFile, writeFile } from 'node:fs/promises';
import { replaceTables } from '../../bench/report/replace-tables.js';
import { toMarkdown } from '../../bench/report/table.js';
import type { SoakOptions } from '../options.js';
import { audience, type SoakResult } from '../run-soak.js';
import type { Check } from '../verdict/check.js';
import { checkTable } from './check-table.js';
import { sizeTable } from './size-table.js';
import { pickSpans, spanTable } from './span-table.js';

const documentFile = new URL('../../../docs/reliability.md', import.meta.url);
const maxSpans = 10;

/** Writes the results of a run to docs/reliability.md. */
export async function writeSection(
  { minutes, rate }: SoakOptions,
  machine: Readonly<Record<string, string>>,
  { spans }: SoakResult,
  checks: readonly Check[],
): Promise<void> {
  const on = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  const parts = [
    `${minutes} minutes at ${rate} recordings a second, ${audience.dashboards} dashboards, ` +
      `${audience.listeners} listeners, on: ${on.join(', ')}.`,
    toMarkdown(checkTable(checks)),
    'Some of the minutes: latencies in ms, memory of each process in MB without what PostgreSQL has in common.',
    toMarkdown(spanTable(pickSpans(spans, maxSpans))),
    'The larger tables, after a third of the time and at the end.',
    toMarkdown(sizeTable(spans)),
  ];
  const document = await readFile(documentFile, 'utf8');
  await writeFile(documentFile, replaceTables(document, parts.join('\n\n'), 'soak'));
}
