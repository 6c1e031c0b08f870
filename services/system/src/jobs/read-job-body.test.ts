import { describe, expect, it } from 'vitest';
import { readJobBody } from './read-job-body.js';

describe('readJobBody', () => {
  it.each([undefined, null, {}])('%j, is about all recordings and makes nothing anew', (body) => {
    expect(readJobBody(body, 'UTC')).toEqual({ force: false, from: null, to: null, videoIds: null });
  });

  it('days, are those of the zone, the last one whole', () => {
    const body = { start_date: '2026-03-28', end_date: '2026-03-29' };
    expect(readJobBody(body, 'Europe/Prague')).toMatchObject({
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    });
  });

  it.each([
    [{ start_date: '2026-02-30' }, '/start_date'],
    [{ end_date: 'yesterday' }, '/end_date'],
    [{ start_date: '2026-03-02', end_date: '2026-03-01' }, '/end_date'],
  ])('%j, is refused by %s', (body, path) => {
    expect(() => readJobBody(body, 'UTC')).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
    );
  });
});
