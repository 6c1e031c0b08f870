import { describe, expect, it } from 'vitest';
import type { Results } from './result-row.js';
import { loadTable, processTable, shortNumber, singleTable } from './result-tables.js';

const results: Results = {
  machine: {},
  secondsEach: 10,
  cases: {
    timeline: [
      {
        title: 'timeline D3000 cold',
        connections: 16,
        load: { p50: 12.345, p975: 20, p99: 31.26, perSecond: 1234.5, bytes: 700_000 },
        limit: { name: 'one statement', value: 11.1, unit: 'ms', ratio: 1.112 },
        verdict: { goal: '≤ 1.25 ×', isReached: true },
        processes: [{ name: 'query', cpuSeconds: 4.26, peakRssBytes: 90_400_000 }],
      },
      {
        title: 'prebuilt string',
        connections: 16,
        load: { p50: 0.5, p975: 1, p99: 2, perSecond: 9, bytes: 5 },
      },
    ],
    memory: [
      {
        title: 'five processes',
        single: { value: 512.3, unit: 'MB' },
        verdict: { goal: '≤ 500 MB', isReached: false },
      },
    ],
  },
};

describe('shortNumber', () => {
  it.each([
    [0.1234, '0.12'],
    [12.345, '12.3'],
    [1234.5, '1235'],
    [Number.NaN, '–'],
  ])('for %d, returns %s', (value, text) => {
    expect(shortNumber(value)).toBe(text);
  });
});

describe('tables', () => {
  it('of loads, list each with or without a limit', () => {
    expect(loadTable(results).slice(1)).toEqual([
      [
        'timeline D3000 cold',
        '16',
        '12.3',
        '20.0',
        '31.3',
        '1235',
        '700000',
        'one statement: 11.1 ms',
        '1.11',
        '≤ 1.25 ×',
        '✓',
      ],
      ['prebuilt string', '16', '0.50', '1.00', '2.00', '9.00', '5', '', '', '', ''],
    ]);
  });

  it('of single figures, mark a missed goal', () => {
    expect(singleTable(results).slice(1)).toEqual([['five processes', '512 MB', '', '', '≤ 500 MB', '✗']]);
  });

  it('of processes, have a column for each one measured', () => {
    expect(processTable(results)).toEqual([
      ['case', 'conn.', 'query'],
      ['timeline D3000 cold', '16', '4.3 s, 90 MB'],
    ]);
  });
});
