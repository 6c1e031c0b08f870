import { describe, expect, it } from 'vitest';
import { purgeSpan } from './purge-storage.js';

describe('purgeSpan', () => {
  it('a day, spans it from start to end in the zone', () => {
    expect(purgeSpan({ date: '2026-03-29' }, 'Europe/Berlin')).toEqual({
      from: Number.NEGATIVE_INFINITY,
      before: Date.UTC(2026, 2, 29, 22),
    });
  });

  it('a first and a last day, span both and the days between', () => {
    expect(purgeSpan({ start_date: '2026-03-29', end_date: '2026-03-29' }, 'Europe/Berlin')).toEqual({
      from: Date.UTC(2026, 2, 28, 23),
      before: Date.UTC(2026, 2, 29, 22),
    });
  });

  it.each(['0001-01-01', '9999-12-31', '20260101', ''])('%j, is refused', (date) => {
    expect(() => purgeSpan({ date }, 'UTC')).toThrow(/^\/date: must be YYYY-MM-DD$/);
  });
});
