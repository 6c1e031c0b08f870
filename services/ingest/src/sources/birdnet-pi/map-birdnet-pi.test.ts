import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { say, toEnglish } from '../sentences.js';
import { type BirdNetPiRow, clipPaths, isRowOf, mapRow, toClipReference } from './map-birdnet-pi.js';

const file = 'Great_Tit-87-2026-05-01-birdnet-06:12:03.mp3';
const row = (given: Partial<BirdNetPiRow> = {}): BirdNetPiRow => ({
  rowid: 7,
  date: '2026-05-01',
  time: '06:12:03',
  scientific: 'Parus major',
  common: 'Great Tit',
  confidence: 0.8734,
  file,
  ...given,
});
const berlin = { zone: 'Europe/Berlin', minConfidence: undefined };

function eventOf(given: Partial<BirdNetPiRow> = {}, context = berlin) {
  const mapped = mapRow(row(given), context);
  if (!('event' in mapped)) throw new Error(toEnglish(mapped.dropped.reason));
  return mapped.event;
}

describe('mapRow', () => {
  it('a row, becomes three seconds of sound in the middle of a clip', () => {
    expect(mapRow(row(), berlin)).toEqual({
      hour: undefined,
      event: {
        upstreamId: '2026-05-01 06:12:03|Parus major|0.8734',
        start: Date.parse('2026-05-01T04:12:01.500Z'),
        end: Date.parse('2026-05-01T04:12:07.500Z'),
        isOpen: false,
        camera: 'birdnet-pi',
        processorVersion: 'birdnet-pi',
        detections: [
          {
            speciesName: 'Parus major_Great Tit',
            confidence: 0.8734,
            startOffset: 1.5,
            endOffset: 4.5,
            source: 'audio',
            provider: 'birdnet-pi',
            trackId: null,
            frames: [],
            extra: null,
            reviewed: false,
          },
        ],
        media: { extension: '.mp3', reference: { rowid: 7, date: '2026-05-01', common: 'Great Tit', file } },
        extra: { birdnet_pi: { file, changed: false } },
        rereadAfterMs: [],
      },
    });
  });

  it.each([0, 1.001])(
    'a row whose bird a person changed, with confidence %s, is reviewed and certain',
    (confidence) => {
      const event = eventOf({ confidence, scientific: 'Parus ater', common: 'Coal Tit' });
      expect(event.detections[0]).toMatchObject({
        confidence: 1,
        reviewed: true,
        speciesName: 'Parus ater_Coal Tit',
      });
      expect(event.upstreamId).toBe('2026-05-01 06:12:03|changed|87-2026-05-01-birdnet-06:12:03');
    },
  );

  it('a row of the second of several streams, has its microphone as camera', () => {
    const { camera } = eventOf({ file: 'Great_Tit-87-2026-05-01-birdnet-RTSP_2-06:12:03.wav' });
    expect(camera).toBe('birdnet-pi/RTSP_2');
  });

  it('rows written twice after a restart, have one key', () => {
    expect(eventOf({ rowid: 9 }).upstreamId).toBe(eventOf().upstreamId);
  });

  it('a confidence stored as text, is read as a number', () => {
    expect(eventOf({ confidence: '0.5' }).detections[0]?.confidence).toBe(0.5);
  });

  it('a clip of an unsupported format, leaves the bird without sound', () => {
    expect(eventOf({ file: 'x.aiff' }).media).toBeUndefined();
  });

  it.each([
    ['no date', { date: null }, '" 06:12:03" is no date and time.'],
    ['a date of zeros', { date: '0000-00-00' }, '"0000-00-00 06:12:03" is no date and time.'],
    ['a number as time', { time: 61203 }, '"2026-05-01 " is no date and time.'],
    ['no names', { scientific: null, common: '' }, 'It has no name of a species.'],
    ['markup as name', { common: '<img src=x onerror=alert(1)>' }, 'It has no name of a species.'],
    ['words as confidence', { confidence: 'high' }, 'Its confidence is not a number from 0 to 1.'],
    ['no confidence', { confidence: null }, 'Its confidence is not a number from 0 to 1.'],
    ['a negative confidence', { confidence: -0.5 }, 'Its confidence is not a number from 0 to 1.'],
    [
      'a file in another folder',
      { file: '../../etc/passwd.mp3' },
      'The name of its file leads to another folder.',
    ],
    ['a file named ..', { file: '..' }, 'The name of its file leads to another folder.'],
  ] as const)('a row with %s, is dropped with the reason', (_case, given, reason) => {
    const mapped = mapRow(row(given), berlin);
    expect(mapped).toMatchObject({ dropped: { upstreamId: 'row 7' } });
    expect('dropped' in mapped && toEnglish(mapped.dropped.reason)).toBe(reason);
  });

  it('a row below the minimum, is dropped with both figures, and a renamed one is accepted', () => {
    const context = { ...berlin, minConfidence: 0.9 };
    expect(mapRow(row(), context)).toMatchObject({
      dropped: { reason: say('low_confidence', { confidence: 87.3, min: 90 }) },
    });
    expect(mapRow(row({ confidence: 0 }), context)).toHaveProperty('event');
  });

  it('any values in any column, are mapped or dropped, and never throw', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.constant(null), fc.constant(undefined));
    fc.assert(
      fc.property(
        fc.record({
          date: value,
          time: value,
          scientific: value,
          common: value,
          confidence: value,
          file: value,
        }),
        (values) => {
          const mapped = mapRow({ rowid: 1, ...values }, berlin);
          expect('event' in mapped || toEnglish(mapped.dropped.reason).length > 0).toBe(true);
        },
      ),
    );
  });

  it('100,000 rows, are all mapped', () => {
    let count = 0;
    for (let second = 0; second < 100_000; second += 1) {
      const time = new Date(second * 1000).toISOString().slice(11, 19);
      if ('event' in mapRow(row({ time }), berlin)) count += 1;
    }
    expect(count).toBe(100_000);
  });
});

describe('isRowOf', () => {
  const reference = toClipReference({ rowid: 7, date: '2026-05-01', common: 'Great Tit', file });
  const { upstreamId } = eventOf();

  it.each([
    ['the same row', {}, true],
    [
      'the row with another bird, changed by a person',
      {
        scientific: 'Parus ater',
        common: 'Coal Tit',
        confidence: 1.001,
        file: file.replace('Great', 'Coal'),
      },
      true,
    ],
    [
      'another bird of the same second',
      { scientific: 'Parus ater', confidence: 0.9, file: file.replace('Great', 'Coal') },
      false,
    ],
    ['a changed row of another time', { time: '06:12:04', confidence: 0 }, false],
    ['a row without a confidence', { confidence: null }, false],
  ])('%s', (_case, given, expected) => {
    expect(isRowOf(row(given), upstreamId, reference)).toBe(expected);
  });
});

describe('clipPaths', () => {
  it('for a bird with an apostrophe, has the folder name of BirdNET-Pi, then the plain name', () => {
    const paths = clipPaths({ rowid: 1, date: '2026-05-01', common: "Cooper's Hawk", file: 'x.mp3' });
    expect(paths).toEqual([
      ['By_Date', '2026-05-01', 'Coopers_Hawk', 'x.mp3'],
      ['By_Date', '2026-05-01', "Cooper's Hawk", 'x.mp3'],
    ]);
  });

  it.each([
    { date: '../..', common: 'Tit' },
    { date: '2026-05-01', common: '..' },
    { date: '2026-05-01', common: 'a/b' },
  ])('for the date $date and the bird $common, is empty', (given) => {
    expect(clipPaths({ rowid: 1, file: 'x.mp3', ...given })).toEqual([]);
  });
});
