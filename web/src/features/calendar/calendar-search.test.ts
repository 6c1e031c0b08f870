import { describe, expect, it } from 'vitest';
import { calendarSearch } from './calendar-search';

describe('calendarSearch', () => {
  it('everything an address may say, is taken', () => {
    const said = {
      view: 'seasons',
      sort: 'name',
      catalog: 'full',
      evidence: 'video',
      metric: 'individuals',
      from: 2024,
      to: 2026,
    };
    expect(calendarSearch(said)).toEqual(said);
  });

  it('what it may not say or what is the beginning, is left out', () => {
    const said = {
      view: 'months',
      sort: 'size',
      catalog: 'active',
      metric: 1,
      from: '2024',
      to: 0,
      other: 1,
    };
    expect(calendarSearch(said)).toEqual({});
  });

  it('years the wrong way round, are turned', () => {
    expect(calendarSearch({ from: 2026, to: 2024 })).toEqual({ from: 2024, to: 2026 });
  });
});
