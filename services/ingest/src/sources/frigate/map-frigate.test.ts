import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRecording } from '../../recordings/recording-body.js';
import { toEnglish } from '../sentences.js';
import type { UpstreamEvent } from '../source-kind.js';
import { checkEvent, checkReview } from './frigate-records.js';
import { isWanted, type MapOptions, mapEvent, mapReview } from './map-frigate.js';

const now = Date.UTC(2026, 4, 1, 12);
/** A quarter past eleven, in unix seconds. */
const start = now / 1000 - 2_700;
const options: MapOptions = {
  labels: ['bird'],
  minConfidence: 0,
  version: '0.17.2',
  isKnown: (name) => name === 'Great Tit',
  now,
};

/** An event as HTTP returns it. */
const aRow = ({ data, ...row }: Record<string, unknown> & { readonly data?: object } = {}) => ({
  id: `${start}-ab12cd`,
  label: 'bird',
  sub_label: null,
  camera: 'birdcam',
  start_time: start,
  end_time: start + 30.5,
  false_positive: false,
  zones: ['feeder'],
  has_clip: true,
  has_snapshot: true,
  data: { type: 'object', top_score: 0.81, box: [0.4, 0.35, 0.1, 0.2], ...data },
  ...row,
});

const aReview = (row: Record<string, unknown> = {}) => ({
  id: `${start}-review`,
  camera: 'birdcam',
  start_time: start,
  end_time: start + 31,
  severity: 'detection',
  data: { detections: [`${start}-ab12cd`], objects: ['bird'], zones: ['feeder'] },
  ...row,
});

function eventOf(row: unknown) {
  const checked = checkEvent(row);
  if ('dropped' in checked) throw new Error(toEnglish(checked.dropped.reason));
  return checked.record;
}

function reviewOf(row: unknown) {
  const checked = checkReview(row);
  if ('dropped' in checked) throw new Error(toEnglish(checked.dropped.reason));
  return checked.record;
}

const map = (row: unknown, given: Partial<MapOptions> = {}) =>
  mapEvent(eventOf(row), { ...options, ...given });

function taken(row: unknown, given: Partial<MapOptions> = {}): UpstreamEvent {
  const mapped = map(row, given);
  if ('dropped' in mapped) throw new Error(toEnglish(mapped.dropped.reason));
  return mapped.event;
}

const reasonOf = (row: unknown, given: Partial<MapOptions> = {}) => {
  const mapped = map(row, given);
  return 'dropped' in mapped ? toEnglish(mapped.dropped.reason) : undefined;
};

/** The event as a processor would post it. */
const toBody = ({ processorVersion, start: from, end, camera, detections, extra }: UpstreamEvent) => ({
  processor_version: processorVersion,
  start_time: new Date(from).toISOString(),
  end_time: new Date(end).toISOString(),
  video_path: 'sources/home/2026/05/01/1/clip.mp4',
  camera_id: camera,
  species: detections.map((detection) => ({
    species_name: detection.speciesName,
    confidence: detection.confidence,
    start_time: detection.startOffset,
    end_time: detection.endOffset,
    source: detection.source,
    track_id: detection.trackId,
    detection_provider: detection.provider,
    frames: detection.frames,
    ...detection.extra,
  })),
  ...extra,
});

describe('mapEvent', () => {
  it('a complete bird, is a recording with padding, its name, track and boxes', () => {
    const row = aRow({
      sub_label: 'Great Tit',
      data: {
        sub_label_score: 0.93,
        snapshot_frame_time: start + 2.2,
        path_data: [
          [[0.5, 0.6], start + 1],
          [[0.3, 0.5], start + 2],
        ],
        description: 'A small bird.',
        max_severity: 'detection',
      },
    });
    expect(taken(row)).toEqual({
      upstreamId: `${start}-ab12cd`,
      start: now - 2_705_000,
      end: now - 2_664_500,
      isOpen: false,
      camera: 'birdcam',
      processorVersion: 'frigate 0.17.2',
      detections: [
        {
          speciesName: 'Great Tit',
          confidence: 0.93,
          startOffset: 5,
          endOffset: 35.5,
          source: 'video',
          trackId: `${start}-ab12cd`,
          provider: 'frigate',
          frames: [
            { t: 6, bbox: [0.45, 0.4, 0.55, 0.6] },
            { t: 7, bbox: [0.25, 0.3, 0.35, 0.5] },
            { t: 7.2, bbox: [0.4, 0.35, 0.5, 0.55] },
          ],
          extra: {
            frigate: {
              id: `${start}-ab12cd`,
              label: 'bird',
              sub_label: 'Great Tit',
              top_score: 0.81,
              zones: ['feeder'],
              description: 'A small bird.',
            },
          },
        },
      ],
      media: {
        extension: '.mp4',
        reference: {
          of: 'event',
          id: `${start}-ab12cd`,
          camera: 'birdcam',
          start: start - 5,
          end: start + 35.5,
          clip: true,
          snapshot: `${start}-ab12cd`,
        },
      },
      extra: { frigate: { id: `${start}-ab12cd`, zones: ['feeder'] } },
      rereadAfterMs: [10_000, 60_000, 600_000],
    });
  });

  it.each([
    ['text with a score', 'Great Tit', { sub_label_score: 0.93 }, 'Great Tit', 0.93],
    ['a pair, as MQTT has it', ['Great Tit', 0.9], {}, 'Great Tit', 0.9],
    ['text without a score, given by a person', 'Great Tit', {}, 'Great Tit', 1],
    ['none', null, {}, 'Bird', 0.81],
    ['empty', '', {}, 'Bird', 0.81],
    ['the name of a pet', 'Bob', { sub_label_score: 0.99 }, 'Bird', 0.81],
    ['control characters', '\u0007', {}, 'Bird', 0.81],
    ['a generic name', 'Bird', { sub_label_score: 0.4 }, 'Bird', 0.4],
    ['a number', 7, {}, 'Bird', 0.81],
  ])(
    'a sub_label that is %s, becomes the right name and confidence',
    (_what, sub_label, data, name, confidence) => {
      const [detection] = taken(aRow({ sub_label, data })).detections;
      expect([detection?.speciesName, detection?.confidence]).toEqual([name, confidence]);
    },
  );

  it('another configured label without a name, is the name', () => {
    const event = taken(aRow({ label: 'squirrel' }), { labels: ['bird', 'squirrel'] });
    expect(event.detections[0]?.speciesName).toBe('squirrel');
  });

  it.each([
    ['a false positive', { false_positive: true }, {}, /false positive/],
    ['another label', { label: 'cat' }, {}, /label is cat/],
    ['a sound', { data: { type: 'audio' } }, {}, /only heard/],
    ['a low score', {}, { minConfidence: 0.9 }, /confidence of 81% is below the minimum of this source, 90%/],
    [
      'dated in two days',
      { start_time: now / 1000 + 172_800, end_time: now / 1000 + 172_900 },
      {},
      /a day ahead/,
    ],
  ])('%s, is left out with the reason', (_what, row, given, reason) => {
    expect(reasonOf(aRow(row), given)).toMatch(reason);
  });

  it('a sound with a configured label, is a detection by sound', () => {
    const row = aRow({ label: 'chirp', data: { type: 'audio' } });
    const [detection] = taken(row, { labels: ['audio/chirp'] }).detections;
    expect(detection).toMatchObject({ speciesName: 'Bird', source: 'audio' });
    expect(isWanted({ label: 'chirp', type: 'object' }, ['audio/chirp'])).toBe(false);
  });

  it('a bird that is still there, is open whatever its score', () => {
    const event = taken(aRow({ end_time: null }), { minConfidence: 0.9 });
    expect(event).toMatchObject({ isOpen: true, detections: [], media: undefined });
  });

  it('a bird that stays for days, is cut after a day', () => {
    const begun = now / 1000 - 3 * 86_400;
    const event = taken(aRow({ start_time: begun, end_time: null }));
    expect(event.isOpen).toBe(false);
    expect(event.end - event.start).toBeLessThanOrEqual(86_400_000);
    expect(checkRecording(toBody(event), now)).toEqual([]);
  });

  it('boxes beyond the picture, are clamped, and invalid points are left out', () => {
    const event = taken(
      aRow({
        data: {
          box: [0.9, 0.8, 0.3, 0.3],
          path_data: [
            [[1, 1.2], start + 1],
            [[0.5, 0.5], start + 500],
            [[null, 0.5], start + 2],
            [[9, 9], start + 3],
            'nonsense',
          ],
        },
      }),
    );
    expect(event.detections[0]?.frames).toEqual([{ t: 6, bbox: [0.85, 0.9, 1.05, 1.05] }]);
  });

  it('a box in pixels, leaves the track without frames', () => {
    const row = aRow({ data: { box: [100, 200, 50, 60], path_data: [[[0.5, 0.5], start + 1]] } });
    expect(taken(row).detections[0]?.frames).toEqual([]);
  });

  it('without clip and snapshot, has no media, and with a snapshot only, refers to it', () => {
    expect(taken(aRow({ has_clip: false, has_snapshot: false })).media).toBeUndefined();
    expect(taken(aRow({ has_clip: false })).media?.reference).toMatchObject({
      clip: false,
      snapshot: `${start}-ab12cd`,
    });
  });
});

describe('mapReview', () => {
  const birds = [
    eventOf(aRow({ sub_label: 'Great Tit', data: { sub_label_score: 0.93 } })),
    eventOf(aRow({ id: `${start + 4}-second`, start_time: start - 7_200, end_time: null })),
    eventOf(aRow({ id: `${start + 5}-cat`, label: 'cat' })),
  ];

  it('several birds at once, are one recording with a track for each', () => {
    const mapped = mapReview(reviewOf(aReview()), birds, options);
    expect('event' in mapped && mapped.event).toMatchObject({
      upstreamId: `${start}-review`,
      start: now - 2_705_000,
      end: now - 2_664_000,
      extra: { frigate: { review_id: `${start}-review`, severity: 'detection', zones: ['feeder'] } },
      detections: [
        { trackId: `${start}-ab12cd`, startOffset: 5, endOffset: 35.5 },
        { trackId: `${start + 4}-second`, startOffset: 0, endOffset: 41 },
      ],
    });
  });

  it('with a stored bird below the minimum confidence, keeps it, and removes one that is no bird', () => {
    const ids = birds.map(({ id }) => id);
    const unsure = eventOf(aRow({ id: ids[1], sub_label: 'Great Tit', data: { sub_label_score: 0.6 } }));
    const review = reviewOf(aReview({ data: { detections: ids, objects: ['bird'], zones: [] } }));
    const mapped = mapReview(review, [...birds.slice(0, 1), unsure, ...birds.slice(2)], {
      ...options,
      minConfidence: 0.7,
    });
    expect(mapped).toMatchObject({ event: { detections: [{ trackId: ids[0] }], absentTracks: [ids[1]] } });
  });

  it('with all birds below the minimum confidence, is left out, and read again if it is stored', () => {
    const mapped = mapReview(reviewOf(aReview()), birds, { ...options, minConfidence: 0.95 });
    expect(mapped).toMatchObject({ dropped: { rereadAfterMs: [10_000, 60_000, 600_000] } });
  });

  it('without a configured object, is left out with the reason', () => {
    const cat = mapReview(reviewOf(aReview()), birds.slice(2), options);
    expect('dropped' in cat && toEnglish(cat.dropped.reason)).toMatch(/label is cat/);
    const none = mapReview(reviewOf(aReview()), [], options);
    expect('dropped' in none && toEnglish(none.dropped.reason)).toMatch(/no object/);
  });

  it('that still continues, is open', () => {
    const mapped = mapReview(reviewOf(aReview({ end_time: null })), [], options);
    expect('event' in mapped && mapped.event.isOpen).toBe(true);
  });
});

describe('checked records', () => {
  it.each([
    ['null', null],
    ['text', 'bird'],
    ['an id that climbs', aRow({ id: '../../etc/passwd' })],
    ['an id with dots alone', aRow({ id: '..' })],
    ['an id that is too long', aRow({ id: 'x'.repeat(65) })],
    ['an id that is a number', aRow({ id: 7 })],
    ['no start', aRow({ start_time: null })],
    ['a start that is text', aRow({ start_time: '2026-05-01' })],
    ['a start before 2000', aRow({ start_time: 7 })],
    ['an end before the start', aRow({ end_time: start - 1 })],
    ['an end that is text', aRow({ end_time: 'soon' })],
    ['a camera with a slash', aRow({ camera: 'a/b' })],
    ['no camera', aRow({ camera: undefined })],
    ['a camera with control characters', aRow({ camera: 'a\u0000' })],
    ['no label', aRow({ label: null })],
  ])('%s, is dropped with a reason', (_what, row) => {
    const checked = checkEvent(row);
    expect('dropped' in checked && toEnglish(checked.dropped.reason)).toMatch(/^Its? .*\.$/);
  });

  it('missing or null data, leave an event without a score', () => {
    const event = taken({ ...aRow(), data: null });
    expect(event.detections[0]).toMatchObject({ speciesName: 'Bird', confidence: 0.5, frames: [] });
  });

  it('a review of very many objects, is read in part', () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `${start}-${index}`);
    expect(reviewOf(aReview({ data: { detections: [...ids, null, '../x'] } })).eventIds).toHaveLength(200);
  });

  it('a path of very many points, is thinned out', () => {
    const path_data = Array.from({ length: 100_000 }, (_, index) => [[0.5, 0.5], start + index / 4_000]);
    expect(taken(aRow({ data: { path_data } })).detections[0]?.frames.length).toBeLessThanOrEqual(500);
  });
});

describe('whatever Frigate returns', () => {
  const odd = fc.oneof(
    fc.anything(),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300, '', '\u0000', [], {}, null),
  );
  const orOdd = <T>(usual: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 4, arbitrary: usual as fc.Arbitrary<unknown> }, odd);
  const time = fc.double({ min: start - 200_000, max: now / 1000 + 200_000, noNaN: true });
  const share = fc.double({ min: -2, max: 2 });
  const row = fc.record(
    {
      id: orOdd(fc.stringMatching(/^\d{10}\.\d{1,6}-[a-z0-9]{6}$/)),
      label: orOdd(fc.constantFrom('bird', 'cat')),
      sub_label: orOdd(fc.oneof(fc.string(), fc.tuple(fc.string({ unit: 'binary' }), share))),
      camera: orOdd(fc.string({ maxLength: 80 })),
      start_time: orOdd(time),
      end_time: orOdd(fc.oneof(time, fc.constant(null))),
      zones: orOdd(fc.array(fc.string({ unit: 'binary' }))),
      has_clip: orOdd(fc.boolean()),
      has_snapshot: orOdd(fc.boolean()),
      data: orOdd(
        fc.record({
          type: orOdd(fc.constantFrom('object', 'audio')),
          top_score: orOdd(share),
          sub_label_score: orOdd(share),
          box: orOdd(fc.array(share, { minLength: 4, maxLength: 4 })),
          snapshot_frame_time: orOdd(time),
          path_data: orOdd(fc.array(orOdd(fc.tuple(fc.tuple(share, share), time)))),
          description: orOdd(fc.string({ unit: 'binary' })),
        }),
      ),
      severity: orOdd(fc.constantFrom('alert', 'detection')),
    },
    { requiredKeys: [] },
  );
  const loose = { ...options, labels: ['bird', 'audio/bird'], isKnown: () => true };

  it('an event, is a recording within the limits of the hub or has a reason', () => {
    fc.assert(
      fc.property(row, (value) => {
        const checked = checkEvent(value);
        const mapped = 'record' in checked ? mapEvent(checked.record, loose) : checked;
        if ('dropped' in mapped) expect(toEnglish(mapped.dropped.reason)).not.toBe('');
        else if (!mapped.event.isOpen) expect(checkRecording(toBody(mapped.event), now)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('a review with its events, is a recording within the limits of the hub or has a reason', () => {
    fc.assert(
      fc.property(row, fc.array(row, { maxLength: 4 }), (value, rows) => {
        const checked = checkReview(value);
        const events = rows.flatMap((entry) => {
          const event = checkEvent(entry);
          return 'record' in event ? [event.record] : [];
        });
        const mapped = 'record' in checked ? mapReview(checked.record, events, loose) : checked;
        if ('dropped' in mapped) expect(toEnglish(mapped.dropped.reason)).not.toBe('');
        else if (!mapped.event.isOpen) expect(checkRecording(toBody(mapped.event), now)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
