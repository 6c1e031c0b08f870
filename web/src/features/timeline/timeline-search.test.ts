import { describe, expect, it } from 'vitest';
import { startOfDay } from '../../lib/days';
import { exportPath, filtersOf, timelineSearch } from './timeline-search';

describe('timelineSearch', () => {
  it('all valid parameters, are kept', () => {
    const search = {
      date: '2026-05-04',
      camera_id: 'garden',
      species_id: 12,
      source: 'audio',
      media_kind: 'audio',
      favorite: true,
      min_confidence: 0.7,
      hour: 8,
      review: 1,
      until: '2026-05-01',
    };
    expect(timelineSearch(search)).toEqual(search);
  });

  it.each([
    ['a day that does not exist', { date: '2026-02-30' }],
    ['a day outside the supported years', { date: '0001-01-01', until: '9999-12-31' }],
    ['an empty camera', { camera_id: '' }],
    ['a species that is not a number', { species_id: 'Great Tit' }],
    ['an unknown source', { source: 'smell' }],
    ['an unknown kind of recording', { media_kind: 'text' }],
    ['favourites switched off', { favorite: false }],
    ['a confidence above 1', { min_confidence: 70 }],
    ['a confidence of 0', { min_confidence: 0 }],
    ['an hour above 23', { hour: 24 }],
    ['an unknown range', { range: 'decade' }],
    ['an unknown parameter', { start_time: 5 }],
  ])('%s, is dropped', (_case, raw) => {
    expect(timelineSearch(raw)).toEqual({});
  });

  it.each([
    [
      { from: '2026-05-04', to: '2026-05-01' },
      { from: '2026-05-01', to: '2026-05-04' },
    ],
    [{ from: '2026-05-04', range: 'week' }, { from: '2026-05-04' }],
    [{ date: '2026-05-04', from: '2026-05-01', range: 'week' }, { date: '2026-05-04' }],
    [{ range: 'month' }, { range: 'month' }],
  ])('%j, becomes %j', (raw, search) => {
    expect(timelineSearch(raw)).toEqual(search);
  });

  it('a camera id given as a number, becomes a text', () => {
    expect(timelineSearch({ camera_id: 2 })).toEqual({ camera_id: '2' });
  });
});

const startOf = (day: string) => startOfDay(day, 'Europe/Berlin');

describe('exportPath', () => {
  it('one day with filters, exports what is shown', () => {
    const filters = filtersOf(
      timelineSearch({ date: '2026-05-04', review: 1, camera_id: 'a&b', favorite: 1 }),
    );
    expect(exportPath({ from: '2026-05-04', to: '2026-05-04' }, filters, 'csv', startOf)).toBe(
      '/api/ui/timeline/export?date=2026-05-04&camera_id=a%26b&favorite=true&format=csv',
    );
  });

  it('several days, are exported from the first to the last instant', () => {
    expect(exportPath({ from: '2026-03-28', to: '2026-03-29' }, {}, 'json', startOf)).toBe(
      '/api/ui/timeline/export?start_time=2026-03-27T23%3A00%3A00.000Z&end_time=2026-03-29T22%3A00%3A00.000Z&format=json',
    );
  });
});
