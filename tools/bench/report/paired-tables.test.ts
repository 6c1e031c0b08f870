import { describe, expect, it } from 'vitest';
import { pairedLoadTable, pairedSingleTable } from './paired-tables.js';
import type { ResultRow } from './result-row.js';

const row = (p50: number, perSecond: number, more: Partial<ResultRow> = { processes: [] }): ResultRow => ({
  title: 'ingest',
  connections: 16,
  load: { p50, p975: 0, p99: 0, perSecond, bytes: 0 },
  ...more,
});

describe('pairedLoadTable', () => {
  it('with two runs each, compares their means', () => {
    const pair = {
      name: 'ingest',
      here: [[row(4, 90)], [row(6, 110)]],
      there: [[row(10, 50)], [row(10, 50)]],
    };
    expect(pairedLoadTable(pair)[1]).toEqual(['ingest', '16', '5.00', '10.0', '0.50', '100', '50.0']);
  });

  it('with limits, which belong to neither commit, leaves them out', () => {
    const pair = { name: 'ingest', here: [[row(4, 90, {})]], there: [[row(4, 90, {})]] };
    expect(pairedLoadTable(pair)).toHaveLength(1);
  });
});

describe('pairedSingleTable', () => {
  const painted = (value: number): ResultRow => ({ title: 'largest paint', single: { value, unit: 's' } });

  it('with two runs each, compares their means', () => {
    const pair = {
      name: 'face',
      here: [[painted(1)], [painted(2)]],
      there: [[painted(0.5)], [painted(0.7)]],
    };
    expect(pairedSingleTable(pair)[1]).toEqual(['largest paint s', '1.50', '0.60', '2.50']);
  });

  it('with a row that the other commit does not measure, has no ratio', () => {
    const pair = { name: 'face', here: [[painted(1)], [painted(2)]], there: [[], []] };
    expect(pairedSingleTable(pair)[1]).toEqual(['largest paint s', '1.50', '–', '–']);
  });
});
