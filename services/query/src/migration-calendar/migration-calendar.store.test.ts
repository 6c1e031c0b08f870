import { HubError } from '@birdhub/shared/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPeriod, readPeriod } from './migration-calendar.store.js';

function fieldOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof HubError ? error.details?.[0]?.path : String(error);
  }
}

describe('readPeriod', () => {
  it.each([
    [{}, undefined, undefined],
    [{ start_year: 2024 }, '2024-01-01', undefined],
    [{ end_year: 987 }, undefined, '0987-12-31'],
    [{ start_date: '2024-05-06', start_year: 2024 }, '2024-05-06', undefined],
    [{ start_date: '2023-05-06', start_year: 2024 }, '2024-01-01', undefined],
    [{ end_date: '2024-05-06', end_year: 2024 }, undefined, '2024-05-06'],
    [{ end_date: '2025-05-06', end_year: 2024 }, undefined, '2024-12-31'],
    [{ start_date: '2024-05-06', end_date: '2024-05-06' }, '2024-05-06', '2024-05-06'],
  ])('%j, is from %s to %s', (query, from, to) => {
    expect(readPeriod(query)).toEqual({ from, to });
  });

  it.each([
    [{ start_date: '2024-02-30' }, 'start_date'],
    [{ end_date: 'today' }, 'end_date'],
    [{ start_year: 2025, end_year: 2024 }, 'end_year'],
    [{ start_date: '2024-05-07', end_date: '2024-05-06' }, 'end_date'],
    [{ start_date: '2025-01-01', end_year: 2024 }, 'end_year'],
    [{ start_year: 2025, end_date: '2024-12-31' }, 'end_date'],
  ])('%j, is refused for %s', (query, field) => {
    expect(fieldOf(() => readPeriod(query))).toBe(field);
  });
});

describe('cutPeriod', () => {
  const cut = (from?: string, to?: string) => cutPeriod({ from, to });

  it('without bounds, is all months of all years', () => {
    expect(cut()).toEqual({ months: { first: [0, 1], last: [0, 12] }, edges: [] });
  });

  it('whole years, are their months', () => {
    expect(cut('2024-01-01', '2025-12-31')).toEqual({
      months: { first: [2024, 1], last: [2025, 12] },
      edges: [],
    });
  });

  it('days within months, are the whole months and the remaining days', () => {
    expect(cut('2024-01-31', '2024-03-30')).toEqual({
      months: { first: [2024, 2], last: [2024, 2] },
      edges: [
        { from: '2024-01-31', to: '2024-01-31' },
        { from: '2024-03-01', to: '2024-03-30' },
      ],
    });
  });

  it('a period without a whole month, is its days', () => {
    expect(cut('2024-01-31', '2024-02-28')).toEqual({
      months: undefined,
      edges: [{ from: '2024-01-31', to: '2024-02-28' }],
    });
  });

  it('a leap day at the end, completes its month', () => {
    expect(cut('2024-02-01', '2024-02-29').edges).toEqual([]);
  });

  it.each([
    ['9999-12-15', undefined],
    [undefined, '0001-01-15'],
  ])('%s to %s at the edge of the calendar, is its days', (from, to) => {
    expect(cut(from, to)).toMatchObject({ months: undefined });
  });

  it('any period, counts each of its days once', () => {
    const anyDay = fc
      .integer({ min: 0, max: 1_200 })
      .map((number) => new Date(Date.UTC(2023, 0, 1 + number)).toISOString().slice(0, 10));
    fc.assert(
      fc.property(anyDay, anyDay, anyDay, (one, other, day) => {
        const [from = '', to = ''] = [one, other].sort();
        const { months, edges } = cutPeriod({ from, to });
        const month = day.slice(0, 7);
        const [first, last] = [months?.first, months?.last].map(
          (at) => at && `${at[0]}-${String(at[1]).padStart(2, '0')}`,
        );
        const inMonths = first !== undefined && last !== undefined && month >= first && month <= last;
        const inEdges = edges.filter((edge) => day >= edge.from && day <= edge.to).length;
        expect(Number(inMonths) + inEdges).toBe(day >= from && day <= to ? 1 : 0);
      }),
    );
  });
});
