import { describe, expect, it } from 'vitest';
import { createSpan } from '../testing/span.js';
import type { TableFigures } from '../watch/table-figures.js';
import { judgeTables } from './judge-tables.js';

const megabyte = 1e6;

/** Judges three spans, the first being the warm-up, with a table's figures at the start and end of the rest. */
function judge(name: string, before: Partial<TableFigures>, after: Partial<TableFigures>) {
  const table = (figures: Partial<TableFigures>) => ({
    tables: { [name]: { rows: 0, deadRows: 0, bytes: 0, indexes: {}, ...figures } },
  });
  return judgeTables([createSpan(1), createSpan(2, table(before)), createSpan(3, table(after))]);
}

const kept = (...given: Parameters<typeof judge>) => judge(...given).every(({ isKept }) => isKept);

describe('judgeTables', () => {
  it('a table of data that grows with its rows, passes', () => {
    expect(kept('video', { rows: 1_000, bytes: 10 * megabyte }, { rows: 3_000, bytes: 31 * megabyte })).toBe(
      true,
    );
  });

  it('a table of data with ever larger rows, fails', () => {
    expect(kept('video', { rows: 1_000, bytes: 10 * megabyte }, { rows: 1_500, bytes: 31 * megabyte })).toBe(
      false,
    );
  });

  it('an index that grows without its table, counts as part of the table', () => {
    const indexes = (size: number) => ({ rows: 1_000, indexes: { video_pkey: size } });
    expect(kept('video', indexes(megabyte), indexes(5 * megabyte))).toBe(false);
  });

  it('any other table, fails when it grows, even with its rows', () => {
    expect(kept('outbox', { rows: 10, bytes: megabyte }, { rows: 50_000, bytes: 9 * megabyte })).toBe(false);
    expect(kept('outbox', { rows: 10, bytes: megabyte }, { rows: 12, bytes: 1.9 * megabyte })).toBe(true);
  });

  it('a table that grew, is named with its sizes', () => {
    expect(judge('outbox', { bytes: megabyte }, { bytes: 9 * megabyte })).toEqual([
      {
        what: 'table outbox',
        measured: '1.0 MB with 0 rows, then 9.0 MB with 0',
        bound: '≤ 2.3 MB',
        isKept: false,
      },
    ]);
  });
});
