import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEnglish } from '../sentences.js';
import { mapItem } from './map-ya-wamf.js';

const context = { minConfidence: undefined, processorVersion: 'ya-wamf 2.15.0', isKnown: false };
const id = '1777622400.515-ab12cd';

const item = (given: Record<string, unknown> = {}) => ({
  id: 5,
  detection_time: '2026-05-01T08:00:03.25',
  score: 0.88,
  display_name: 'Great Tit',
  category_name: 'Great Tit',
  frigate_event: id,
  camera_name: 'birdcam',
  scientific_name: 'Parus major',
  common_name: 'Great Tit',
  manual_tagged: false,
  is_favorite: true,
  is_hidden: false,
  audio_confirmed: false,
  frigate_score: 0.8,
  ...given,
});

function eventOf(given: Record<string, unknown> = {}) {
  const mapped = mapItem(item(given), context);
  if (!('event' in mapped)) throw new Error(toEnglish(mapped.dropped.reason));
  return mapped.event;
}

describe('mapItem', () => {
  it('an item, becomes a recording that begins with the event of Frigate', () => {
    expect(eventOf()).toMatchObject({
      upstreamId: id,
      start: 1_777_622_400_515,
      end: 1_777_622_410_515,
      camera: 'birdcam',
      detections: [
        {
          speciesName: 'Parus major_Great Tit',
          confidence: 0.88,
          source: 'video',
          startOffset: 0,
          endOffset: 10,
          trackId: id,
          reviewed: false,
        },
      ],
      media: { extension: '.mp4', reference: { id } },
      isFavorite: true,
      extra: { ya_wamf: { id: 5, favorite: true, manual: false } },
    });
  });

  it.each([
    ['with Z', '2026-05-01T08:00:03Z'],
    ['with a blank and no offset', '2026-05-01 08:00:03'],
    ['with another offset', '2026-05-01T10:00:03+02:00'],
  ])('a time %s, is UTC', (_case, detection_time) => {
    expect(eventOf({ detection_time, frigate_event: 'manual-1' }).start).toBe(
      Date.parse('2026-05-01T08:00:03Z'),
    );
  });

  it('a manual name, is reviewed', () => {
    expect(eventOf({ manual_tagged: true }).detections[0]?.reviewed).toBe(true);
  });

  it.each([
    ['both names', {}, 'Parus major_Great Tit'],
    ['a scientific one alone', { common_name: null }, 'Parus major'],
    ['what is shown alone', { scientific_name: null, common_name: null, display_name: 'Robin' }, 'Robin'],
    [
      'an unknown bird',
      { scientific_name: null, common_name: null, display_name: 'Unknown Bird' },
      'Unknown',
    ],
  ])('%s, is the name', (_case, given, name) => {
    expect(eventOf(given).detections[0]?.speciesName).toBe(name);
  });

  it.each([
    ['a path as id', { frigate_event: '../../etc' }, 'It has no Frigate ID.'],
    ['no time', { detection_time: null }, 'It has no time.'],
    [
      'markup as name',
      { scientific_name: null, common_name: '<b>x</b>', display_name: '<b>' },
      'It has no name of a species.',
    ],
    ['text as score', { score: 'good' }, 'Its confidence is not a number from 0 to 1.'],
    ['hidden', { is_hidden: true }, 'It is hidden in YA-WAMF.'],
  ])('%s, is dropped with the reason', (_case, given, reason) => {
    const mapped = mapItem(item(given), context);
    expect('dropped' in mapped && toEnglish(mapped.dropped.reason)).toBe(reason);
  });

  it('any JSON, is mapped or dropped, and never throws', () => {
    const odd = fc.record(Object.fromEntries(Object.keys(item()).map((key) => [key, fc.jsonValue()])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), odd), (value) => {
        const mapped = mapItem(value, context);
        expect('event' in mapped || toEnglish(mapped.dropped.reason).length > 0).toBe(true);
      }),
    );
  });
});
