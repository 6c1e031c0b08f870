import type { Span } from '../watch/span.js';
import type { TableFigures } from '../watch/table-figures.js';
import type { Check } from './check.js';
import { afterWarmUp } from './judge-growth.js';

/** Tables that grow with recordings, users and time; all others contain pending work or a fixed number of rows. */
export const dataTables: ReadonlySet<string> = new Set([
  'activity_log',
  'attached_run',
  'correction',
  'correction_detection',
  'deleted_video',
  'detection',
  'detection_track',
  'host_sample',
  'processor_activity',
  'species_visit',
  'video',
  'video_food',
  'weather_snapshot',
]);

/** Allowance for rows that have not been vacuumed yet. */
const maxRise = 1.25;
const slackBytes = 1e6;

/** Returns the size of a table with its indexes. */
export const wholeBytes = ({ bytes, indexes }: TableFigures): number =>
  Object.values(indexes).reduce((sum, one) => sum + one, bytes);

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function judgeTable(name: string, before: TableFigures, after: TableFigures): Check {
  const rise = dataTables.has(name) ? after.rows / Math.max(1, before.rows) : 1;
  const max = wholeBytes(before) * Math.max(1, rise) * maxRise + slackBytes;
  const found = wholeBytes(after);
  return {
    what: `table ${name}`,
    measured: `${megabytes(wholeBytes(before))} with ${before.rows} rows, then ${megabytes(found)} with ${after.rows}`,
    bound: `≤ ${megabytes(max)}`,
    isKept: found <= max,
  };
}

/**
 * Checks that only data grows: after the warm-up, a table of data may grow like its number of rows, and other tables not
 * at all, with an allowance of a quarter and a megabyte. If all pass, they are reported as one check.
 */
export function judgeTables(spans: readonly Span[]): Check[] {
  const [first] = afterWarmUp(spans);
  const last = spans.at(-1);
  if (!first || !last) return [];
  const checks = Object.entries(last.tables).flatMap(([name, after]) => {
    const before = first.tables[name];
    return before ? [judgeTable(name, before, after)] : [];
  });
  const broken = checks.filter(({ isKept }) => !isKept);
  if (broken.length) return broken;
  const measured = `${checks.length} tables, ${dataTables.size} of them of data`;
  return [
    { what: 'tables that grow and are no data', measured: 'none', bound: `of ${measured}`, isKept: true },
  ];
}
