import { describe, expect, it } from 'vitest';
import { calendarSearch, viewOf } from './calendar-search';

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
      view: 'decades',
      until: '2026-02-30',
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

  it('the last day, is one of the view of days', () => {
    expect(calendarSearch({ view: 'days', until: '2026-05-04' })).toEqual({
      view: 'days',
      until: '2026-05-04',
    });
    expect(calendarSearch({ view: 'year', until: '2026-05-04' })).toEqual({ view: 'year' });
  });
});

describe('viewOf', () => {
  it.each([
    [{}, true, 'days'],
    [{}, false, 'months'],
    [{ metric: 'individuals' }, true, 'months'],
    [{ view: 'seasons' }, true, 'seasons'],
    [{ view: 'days' }, false, 'days'],
  ] as const)('%j in the first year: %s, is %s', (search, isFirstYear, view) => {
    expect(viewOf(search, isFirstYear)).toBe(view);
  });
});
