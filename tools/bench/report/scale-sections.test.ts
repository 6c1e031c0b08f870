import { describe, expect, it } from 'vitest';
import type { ResultRow, Results } from './result-row.js';
import { scaleSections } from './scale-sections.js';

const processes = [{ name: 'query', cpuSeconds: 1, peakRssBytes: 1 }];
const results = (name: string, ...rows: ResultRow[]): Results => ({
  machine: {},
  secondsEach: 1,
  cases: { [name]: rows },
});
const load = (p50: number) => ({ p50, p975: p50, p99: p50, perSecond: 1, bytes: 1 });
const read = (p50: number) =>
  results('reads', { title: 'overview', connections: 1, processes, load: load(p50) });

describe('scaleSections', () => {
  it('with two sizes measured, allows growth by three tenths', () => {
    const text = (p50: number) =>
      scaleSections(
        new Map([
          ['1m', read(10)],
          ['10m', read(p50)],
        ]),
      ).growth;
    expect(text(13)).toContain('| overview | 1 | 10.0 ms | 13.0 ms | 1.30 | ≤ 1.3 × | ✓ |');
    expect(text(14)).toContain('✗');
  });

  it('with sixteen connections, shows the growth of posts only', () => {
    const at16 = (title: string) => ({ title, connections: 16, processes, load: load(10) });
    const both = results('loads', at16('overview'), at16('ingest'));
    const { growth } = scaleSections(
      new Map([
        ['1m', both],
        ['10m', both],
      ]),
    );
    expect(growth).toContain('| ingest | 16 |');
    expect(growth).not.toContain('overview');
  });

  it('with one size only, shows no growth', () => {
    expect(scaleSections(new Map([['1m', read(10)]])).growth).toBe('');
  });

  it('with the size of a table, shows the bytes per row', () => {
    const size = { rows: 1_000, bytes: 2e6, indexBytes: 5e5 };
    const { sizes } = scaleSections(new Map([['100k', results('sizes', { title: 'video', size })]]));
    expect(sizes).toContain('With 100 k detections:');
    expect(sizes).toContain('| video | 1000 | 2.00 | 2000 | 0.50 | 500 |');
  });

  it('with partitions, shows times, sizes and single figures beside the plain tables', () => {
    const rows: ResultRow[] = [
      {
        title: 'timeline, by month',
        load: load(12),
        limit: { name: 'plain tables', value: 10, unit: 'ms', ratio: 1.2 },
      },
      {
        title: 'number of indexes, by month',
        single: { value: 152, unit: '' },
        limit: { name: 'plain tables', value: 19, unit: '', ratio: 8 },
      },
      { title: 'vacuum', single: { value: 2, unit: 's' } },
    ];
    const { partitions } = scaleSections(
      new Map([
        ['100k', results('partitions', { title: 'vacuum', single: { value: 0.5, unit: 's' } })],
        ['1m', results('partitions', ...rows)],
      ]),
    );
    expect(partitions.split('\n')).toEqual([
      '| plain → by month | 100 k | 1 M |',
      '|---|---|---|',
      '| vacuum | 0.50 s | 2.00 s |',
      '| timeline |  | 10.0 → 12.0 ms (1.20 ×) |',
      '| number of indexes |  | 19 → 152 (8.00 ×) |',
    ]);
  });

  it('with several stores measured, shows the sizes of the largest', () => {
    const size = (rows: number) =>
      results('sizes', { title: 'video', size: { rows, bytes: 1, indexBytes: 1 } });
    const text = scaleSections(
      new Map([
        ['100k', size(35)],
        ['10m', size(3_500)],
      ]),
    ).sizes;
    expect(text).toContain('With 10 M detections:');
    expect(text).toContain('| video | 3500 |');
    expect(text).not.toContain('| 35 |');
  });
});
