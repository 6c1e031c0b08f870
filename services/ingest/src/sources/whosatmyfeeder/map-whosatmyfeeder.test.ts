import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEnglish } from '../sentences.js';
import { mapRow, type WamfRow } from './map-whosatmyfeeder.js';

const context = { zone: 'Europe/Berlin', minConfidence: undefined, hasFrigate: true };
const row = (given: Partial<WamfRow> = {}): WamfRow => ({
  id: 3,
  time: '2026-05-01 10:00:00.515',
  score: 0.83,
  name: 'Parus major',
  category: 'Parus major (Great Tit)',
  frigateEvent: '1777622400.515-ab12cd',
  camera: 'birdcam',
  ...given,
});

describe('mapRow', () => {
  it('a row, has the time in the id of Frigate', () => {
    expect(mapRow(row(), context)).toMatchObject({
      event: {
        upstreamId: '1777622400.515-ab12cd',
        start: 1_777_622_400_515,
        camera: 'birdcam',
        detections: [{ speciesName: 'Parus major', confidence: 0.83, source: 'video' }],
        media: { extension: '.mp4', reference: { id: '1777622400.515-ab12cd' } },
      },
    });
  });

  it.each([
    ['an id without a time', { frigateEvent: 'manual-1' }, '2026-05-01T08:00:00.515Z'],
    ['an id of another day', { frigateEvent: '1700000000.5-ab12cd' }, '2026-05-01T08:00:00.515Z'],
    ['a broken time and a good id', { time: 'yesterday' }, '2026-05-01T08:00:00.515Z'],
  ])('%s, has the time %s', (_case, given, start) => {
    const mapped = mapRow(row(given), context);
    expect('event' in mapped && new Date(mapped.event.start).toISOString()).toBe(start);
  });

  it('without a Frigate, has no clip', () => {
    expect(mapRow(row(), { ...context, hasFrigate: false })).toHaveProperty('event.media', undefined);
  });

  it.each([
    ['a path as id', { frigateEvent: '../x' }, 'It has no Frigate ID.'],
    ['no time anywhere', { time: null, frigateEvent: 'x1' }, 'It has no time.'],
    ['no name', { name: null, category: '<i>' }, 'It has no name of a species.'],
    ['a score of 83', { score: 83 }, 'Its confidence is not a number from 0 to 1.'],
  ])('%s, is dropped with the reason', (_case, given, reason) => {
    const mapped = mapRow(row(given), context);
    expect(mapped).toMatchObject({ dropped: { upstreamId: 'row 3' } });
    expect('dropped' in mapped && toEnglish(mapped.dropped.reason)).toBe(reason);
  });

  it('any values, are mapped or dropped, and never throw', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.constant(null));
    const values = fc.record({
      time: value,
      score: value,
      name: value,
      category: value,
      frigateEvent: value,
      camera: value,
    });
    fc.assert(
      fc.property(values, (given) => {
        const mapped = mapRow({ id: 1, ...given }, context);
        expect('event' in mapped || toEnglish(mapped.dropped.reason).length > 0).toBe(true);
      }),
    );
  });
});
