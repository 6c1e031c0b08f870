import { shortNumber } from '../../bench/report/result-tables.js';
import type { Table } from '../../bench/report/table.js';
import { postName } from '../load/post-recordings.js';
import { liveName } from '../verdict/judge-loads.js';
import { wholeBytes } from '../verdict/judge-tables.js';
import type { Span } from '../watch/span.js';

const megabytes = (bytes: number) => shortNumber(bytes / 1e6);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

const processTitles = (spans: readonly Span[]) => Object.keys(spans[0]?.processes ?? {});

function minutesOf({ endSeconds }: Span): string {
  return String(Math.round((endSeconds / 60) * 10) / 10);
}

/** Returns the p99 of the slowest kind of read, without pictures that are created from films. */
function slowestRead({ loads }: Span): number {
  const reads = Object.entries(loads).filter(
    ([what]) => what.startsWith('GET') && !/\/(crop|poster)$/.test(what),
  );
  return Math.max(...reads.map(([, { p99 }]) => p99));
}

function spanLine(span: Span, names: readonly string[]): string[] {
  const { loads, tables, outbox, broker, processes, failures } = span;
  const post = loads[postName];
  const files = sum(Object.values(processes).map(({ openFiles }) => openFiles));
  return [
    minutesOf(span),
    ...[post?.p50, post?.p99, slowestRead(span), loads[liveName]?.p99].map((value) =>
      shortNumber(value ?? Number.NaN),
    ),
    String(failures),
    ...names.map((name) => megabytes(processes[name]?.bytes ?? 0)),
    String(files),
    String(outbox),
    String(sum(Object.values(broker.waiting))),
    megabytes(sum(Object.values(tables).map(wholeBytes))),
  ];
}

/** Returns a line for each span: latencies in ms, memory in MB, pending events. */
export function spanTable(spans: readonly Span[]): Table {
  const names = processTitles(spans);
  const load = ['min', 'post p50', 'p99', 'slowest read p99', 'live p99', 'failed'];
  const titles = [...load, ...names, 'open files', 'outbox', 'events in hand', 'tables MB'];
  return [titles, ...spans.map((span) => spanLine(span, names))];
}

/** Returns at most `max` spans, evenly distributed over the run and including the last one. */
export function pickSpans(spans: readonly Span[], max: number): Span[] {
  const step = Math.ceil(spans.length / max);
  return spans.filter((_, index) => (spans.length - 1 - index) % step === 0);
}
