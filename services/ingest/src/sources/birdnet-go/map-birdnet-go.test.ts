import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEnglish } from '../sentences.js';
import { type BirdNetGoContext, extensionOfType, mapDetection } from './map-birdnet-go.js';

const context: BirdNetGoContext = {
  zone: 'Europe/Berlin',
  minConfidence: undefined,
  labels: ['bird'],
  processorVersion: 'birdnet-go nightly-20260801',
  extension: '.wav',
  isKnown: false,
};

/** As BirdNET-Go returns it to logged-in users. */
const item = (given: Record<string, unknown> = {}) => ({
  id: 4711,
  date: '2026-05-01',
  time: '06:12:03',
  timestamp: '2026-05-01T06:12:03+02:00',
  source: { id: 'rtsp_65c31a0b', type: 'rtsp', displayName: 'Garden' },
  beginTime: '2026-05-01T06:12:00+02:00',
  endTime: '2026-05-01T06:12:15+02:00',
  speciesCode: 'gretit1',
  scientificName: 'Parus major',
  commonName: 'Kohlmeise',
  confidence: 0.91,
  clipName: 'parus_major_91p_20260501T061200Z.m4a',
  modelType: 'bird',
  verified: 'unverified',
  locked: false,
  ...given,
});

function eventOf(given: Record<string, unknown> = {}, more: Partial<BirdNetGoContext> = {}) {
  const mapped = mapDetection(item(given), { ...context, ...more });
  if (!('event' in mapped)) throw new Error(toEnglish(mapped.dropped.reason));
  return mapped.event;
}

describe('mapDetection', () => {
  it('a locked detection, is a favourite', () => {
    expect(eventOf({ locked: true }).isFavorite).toBe(true);
  });

  it('a detection, becomes an audio recording with both names', () => {
    expect(eventOf()).toEqual({
      upstreamId: '4711',
      start: Date.parse('2026-05-01T04:12:00Z'),
      end: Date.parse('2026-05-01T04:12:15Z'),
      isOpen: false,
      camera: 'Garden',
      processorVersion: 'birdnet-go nightly-20260801',
      detections: [
        {
          speciesName: 'Parus major_Kohlmeise',
          confidence: 0.91,
          startOffset: 0,
          endOffset: 15,
          source: 'audio',
          provider: 'birdnet-go',
          trackId: null,
          frames: [],
          extra: null,
          reviewed: false,
        },
      ],
      isFavorite: false,
      media: { extension: '.m4a', reference: { id: 4711 } },
      extra: {
        birdnet_go: {
          id: 4711,
          verified: 'unverified',
          locked: false,
          unlikely: false,
          model: 'bird',
          source: 'rtsp_65c31a0b',
        },
      },
      rereadAfterMs: [],
    });
  });

  it.each([
    ['a name', { id: 'rtsp_1', displayName: 'Pond' }, 'Pond'],
    ['an id alone', { id: 'rtsp_1' }, 'rtsp_1'],
    ['a text, as in old versions', 'Pond', 'Pond'],
    ['the URL of a stream with its login', 'rtsp://user:p@ss@cam:554/live', 'rtsp://cam:554/live'],
    ['a name of control characters', { id: 'x', displayName: '\u0000\n' }, 'BirdNET-Go'],
    ['nothing, as without a login', undefined, 'BirdNET-Go'],
    ['a text of 200 characters', { displayName: 'x'.repeat(200) }, 'x'.repeat(64)],
  ])('a source with %s, is that camera', (_case, source, camera) => {
    expect(eventOf({ source }).camera).toBe(camera);
  });

  it.each([
    [
      'of an old version, by its timestamp',
      { beginTime: '0001-01-01T00:00:00Z' },
      '2026-05-01T04:12:03.000Z',
    ],
    [
      'without an offset, by the zone of the source',
      { beginTime: undefined, timestamp: undefined },
      '2026-05-01T04:12:03.000Z',
    ],
    [
      'in the second of two equal hours, by its offset',
      { beginTime: '2026-10-25T02:30:00+01:00' },
      '2026-10-25T01:30:00.000Z',
    ],
  ])('a time %s', (_case, given, start) => {
    const event = eventOf({ endTime: '', ...given });
    expect([new Date(event.start).toISOString(), event.end - event.start]).toEqual([start, 15_000]);
  });

  it('verified as correct, is reviewed', () => {
    expect(eventOf({ verified: 'correct' }).detections[0]).toMatchObject({
      reviewed: true,
      speciesName: 'Parus major_Kohlmeise',
    });
  });

  it('unlikely and of low confidence but verified as correct, is accepted, unless it is a bat', () => {
    const given = { verified: 'correct', unlikely: true, confidence: 0.3 };
    expect(eventOf(given, { minConfidence: 0.7 }).detections[0]).toMatchObject({ reviewed: true });
    const bat = mapDetection(item({ ...given, modelType: 'bat' }), context);
    expect('dropped' in bat && bat.dropped.reason.code).toBe('bat');
  });

  it('verified as a false positive after it was stored, becomes unknown and reviewed', () => {
    const event = eventOf({ verified: 'false_positive' }, { isKnown: true });
    expect(event.detections[0]).toMatchObject({ reviewed: true, speciesName: 'Unknown' });
  });

  it.each([
    [
      'a false positive',
      { verified: 'false_positive' },
      'A person marked it as a false positive in BirdNET-Go.',
    ],
    ['a bat', { modelType: 'bat' }, 'Bats are left out unless the labels of this source include “bat”.'],
    [
      'an unlikely bird',
      { unlikely: true },
      'Birds that BirdNET-Go considers unlikely here are left out unless the labels of this source include “unlikely”.',
    ],
    ['no id', { id: null }, 'It has no id.'],
    ['a path as id', { id: '../1' }, 'It has no id.'],
    ['no time at all', { beginTime: null, timestamp: '', date: '0000-00-00' }, 'It has no time.'],
    ['markup as name', { commonName: '<script>' }, 'It has no name of a species.'],
    ['a confidence of 91', { confidence: 91 }, 'Its confidence is not a number from 0 to 1.'],
  ])('%s, is dropped with the reason', (_case, given, reason) => {
    const mapped = mapDetection(item(given), context);
    expect('dropped' in mapped && toEnglish(mapped.dropped.reason)).toBe(reason);
  });

  it('bats and unlikely birds, when their labels are configured, are accepted', () => {
    const labels = ['bird', 'bat', 'unlikely'];
    expect(eventOf({ modelType: 'bat', unlikely: true }, { labels }).upstreamId).toBe('4711');
  });

  it('a clip without a valid name, has the format of the others', () => {
    expect(eventOf({ clipName: undefined }, { extension: '.flac' }).media?.extension).toBe('.flac');
    expect(eventOf({ clipName: '../../etc/passwd' }).media?.extension).toBe('.wav');
  });

  it('any JSON, is mapped or dropped, and never throws', () => {
    const keys = Object.keys(item());
    const odd = fc.record(Object.fromEntries(keys.map((key) => [key, fc.jsonValue()])), { requiredKeys: [] });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), odd), fc.boolean(), (value, isKnown) => {
        const mapped = mapDetection(value, { ...context, isKnown });
        expect('event' in mapped || toEnglish(mapped.dropped.reason).length > 0).toBe(true);
      }),
    );
  });
});

describe('extensionOfType', () => {
  it.each([
    ['audio/mpeg', '.mp3'],
    ['Audio/X-WAV; charset=binary', '.wav'],
    ['text/html', undefined],
    [undefined, undefined],
  ])('%s, is %s', (type, extension) => {
    expect(extensionOfType(type)).toBe(extension);
  });
});
