import { describe, expect, it } from 'vitest';
import { calendarSearch, viewOf } from './calendar-search';

describe('calendarSearch', () => {
  it('with all valid parameters, keeps them', () => {
    const params = {
      view: 'seasons',
      sort: 'name',
      catalog: 'full',
      evidence: 'video',
      metric: 'individuals',
      from: 2024,
      to: 2026,
    };
    expect(calendarSearch(params)).toEqual(params);
  });

  it('with invalid or default values, drops them', () => {
    const params = {
      view: 'decades',
      until: '2026-02-30',
      sort: 'size',
      catalog: 'active',
      metric: 1,
      from: '2024',
      to: 0,
      other: 1,
    };
    expect(calendarSearch(params)).toEqual({});
  });

  it('with years in the wrong order, swaps them', () => {
    expect(calendarSearch({ from: 2026, to: 2024 })).toEqual({ from: 2024, to: 2026 });
  });

  it('with a last day, keeps it only for the view of days', () => {
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
  ] as const)('with %j in the first year: %s, returns %s', (search, isFirstYear, view) => {
    expect(viewOf(search, isFirstYear)).toBe(view);
  });
});
