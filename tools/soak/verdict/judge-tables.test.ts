import { describe, expect, it } from 'vitest';
import type { TableFigures } from '../watch/table-figures.js';
import { aSpan } from './a-span.js';
import { judgeTables } from './judge-tables.js';

const megabyte = 1e6;

/** Three spans, of which the first is the warm-up, with a table at the beginning and the end of the judged time. */
function judge(name: string, before: Partial<TableFigures>, after: Partial<TableFigures>) {
  const table = (figures: Partial<TableFigures>) => ({
    tables: { [name]: { rows: 0, deadRows: 0, bytes: 0, indexes: {}, ...figures } },
  });
  return judgeTables([aSpan(1), aSpan(2, table(before)), aSpan(3, table(after))]);
}

const kept = (...given: Parameters<typeof judge>) => judge(...given).every(({ isKept }) => isKept);

describe('judgeTables', () => {
  it('a table of data, that grows as its rows do, keeps what it may', () => {
    expect(kept('video', { rows: 1_000, bytes: 10 * megabyte }, { rows: 3_000, bytes: 31 * megabyte })).toBe(
      true,
    );
  });

  it('a table of data, whose rows take more and more, does not', () => {
    expect(kept('video', { rows: 1_000, bytes: 10 * megabyte }, { rows: 1_500, bytes: 31 * megabyte })).toBe(
      false,
    );
  });

  it('an index, that grows without its table, counts with it', () => {
    const indexes = (size: number) => ({ rows: 1_000, indexes: { video_pkey: size } });
    expect(kept('video', indexes(megabyte), indexes(5 * megabyte))).toBe(false);
  });

  it('another table, though its rows grow, may not grow', () => {
    expect(kept('outbox', { rows: 10, bytes: megabyte }, { rows: 50_000, bytes: 9 * megabyte })).toBe(false);
    expect(kept('outbox', { rows: 10, bytes: megabyte }, { rows: 12, bytes: 1.9 * megabyte })).toBe(true);
  });

  it('a table, that grew, is named with its sizes', () => {
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
