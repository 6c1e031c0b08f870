import { describe, expect, it } from 'vitest';
import { toRecordingFilter } from './jobs.routes.js';

describe('toRecordingFilter', () => {
  it.each([undefined, null, {}])('of %j, matches all recordings without force', (body) => {
    expect(toRecordingFilter(body, 'UTC')).toEqual({ force: false, from: null, to: null, videoIds: null });
  });

  it('of days, spans them in the zone, including the last one', () => {
    const body = { start_date: '2026-03-28', end_date: '2026-03-29' };
    expect(toRecordingFilter(body, 'Europe/Prague')).toMatchObject({
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    });
  });

  it.each([
    [{ start_date: '2026-02-30' }, '/start_date'],
    [{ end_date: 'yesterday' }, '/end_date'],
    [{ start_date: '2026-03-02', end_date: '2026-03-01' }, '/end_date'],
  ])('of %j, is refused with the path %s', (body, path) => {
    expect(() => toRecordingFilter(body, 'UTC')).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
    );
  });
});
