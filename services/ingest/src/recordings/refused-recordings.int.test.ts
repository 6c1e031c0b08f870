import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDetectionBody,
  aRecordingBody,
  type Body,
  createTestIngest,
  type TestIngest,
  testNow,
} from '../testing/create-test-ingest.js';

const at = (ms: number) => new Date(testNow + ms).toISOString();
const day = 86_400_000;
const box = (...bbox: unknown[]) =>
  aDetectionBody({
    frames: [
      { t: 0, bbox: [0, 0, 1, 1] },
      { t: 1, bbox },
    ],
  });

const heads: [string, Body, string][] = [
  ['no version', { processor_version: undefined }, '/processor_version'],
  ['no start', { start_time: undefined }, '/start_time'],
  ['a start in unix seconds', { start_time: 1_777_633_200 }, '/start_time'],
  ['a start that is no day', { start_time: '2026-02-30T10:00:00Z' }, '/start_time'],
  ['an end that is no time', { end_time: 'later' }, '/end_time'],
  ['an end before its start', { end_time: at(-2 * 3_600_000) }, '/end_time'],
  ['more than 24 hours', { start_time: at(-day - 1), end_time: at(0) }, '/end_time'],
  [
    'a start before 2000',
    { start_time: '1999-12-31T23:59:59Z', end_time: '2000-01-01T00:00:01Z' },
    '/start_time',
  ],
  ['a start more than a day ahead', { start_time: at(day + 1), end_time: at(day + 1) }, '/start_time'],
  ['an end more than a day ahead', { start_time: at(day), end_time: at(day + 1) }, '/end_time'],
  ['no path', { video_path: undefined }, '/video_path'],
  ['an empty path', { video_path: '' }, '/video_path'],
  ['a path of 513 characters', { video_path: 'a'.repeat(513) }, '/video_path'],
  ['an absolute path', { video_path: '/etc/passwd' }, '/video_path'],
  ['a path that leads out', { video_path: 'a/../../b.mp4' }, '/video_path'],
  [
    'a path that leads out of the public folder',
    { video_path: 'data/recordings/../../b.mp4' },
    '/video_path',
  ],
  [
    'the public folder twice in its path',
    { video_path: 'data/recordings/data/recordings/b.mp4' },
    '/video_path',
  ],
  ['a folder for a path', { video_path: 'data/recordings' }, '/video_path'],
  ['a path with a slash at its end', { video_path: 'a/b.mp4/' }, '/video_path'],
  ['a path with an empty part', { video_path: 'data/recordings//b.mp4' }, '/video_path'],
  ['a path with the part .', { video_path: 'data/recordings/./b.mp4' }, '/video_path'],
  [
    'the public folder twice in the path of its sound',
    { spectrogram_path: 'data/recordings/data/recordings/s.jpg' },
    '/spectrogram_path',
  ],
  ['a path with NUL', { video_path: 'a\0.mp4' }, '/video_path'],
  ['a path with half a character', { video_path: 'a\udc00.mp4' }, '/video_path'],
  ['a path with backslashes', { video_path: '..\\b.mp4' }, '/video_path'],
  ['a hidden file for a path', { video_path: 'a/.b.mp4' }, '/video_path'],
  ['a path in a hidden folder', { video_path: 'data/recordings/.trash/b.mp4' }, '/video_path'],
  ['a picture of the sound that leads out', { spectrogram_path: '../s.jpg' }, '/spectrogram_path'],
  ['a camera of 65 characters', { camera_id: 'c'.repeat(65) }, '/camera_id'],
  ['a camera that is a number', { camera_id: 1 }, '/camera_id'],
  ['a camera with a line break', { camera_id: 'a\nb' }, '/camera_id'],
  ['a trigger with half a character', { trigger_source: '\ud800' }, '/trigger_source'],
  ['a version with NUL', { processor_version: '1\0' }, '/processor_version'],
  ['no rows', { species: undefined }, '/species'],
  ['rows that are no list', { species: {} }, '/species'],
];

const rows: [string, Body | null | string, string][] = [
  ['that is null', null, ''],
  ['that is a text', 'Great Tit', ''],
  ['without a name', aDetectionBody({ species_name: undefined }), '/species_name'],
  ['with null for both names', aDetectionBody({ species_name: null, species: null }), '/species_name'],
  ['with an empty name', aDetectionBody({ species_name: '' }), '/species_name'],
  ['with a name of blanks', aDetectionBody({ species_name: ' \t' }), '/species_name'],
  ['with a name of control characters', aDetectionBody({ species_name: '\u0085\u009f' }), '/species_name'],
  ['with a name that nobody sees', aDetectionBody({ species_name: '\u200b\u2060' }), '/species_name'],
  ['with a name of 201 characters', aDetectionBody({ species_name: '𝒢'.repeat(201) }), '/species_name'],
  ['with NUL in its name', aDetectionBody({ species_name: 'Great\0Tit' }), '/species_name'],
  [
    'with half a character in its other name',
    aDetectionBody({ species_name: undefined, species: '\ud83d' }),
    '/species',
  ],
  [
    'with null for its name and half a character in the other',
    aDetectionBody({ species_name: null, species: '\ud83d' }),
    '/species',
  ],
  ['without confidence', aDetectionBody({ confidence: undefined }), '/confidence'],
  ['with confidence above 1', aDetectionBody({ confidence: 1.0000001 }), '/confidence'],
  ['with confidence below 0', aDetectionBody({ confidence: -0.1 }), '/confidence'],
  ['with confidence in a text', aDetectionBody({ confidence: '0.5' }), '/confidence'],
  ['with a start below 0', aDetectionBody({ start_time: -0.001 }), '/start_time'],
  ['with offsets swapped', aDetectionBody({ start_time: 3, end_time: 2.999 }), '/end_time'],
  ['with a start 60 s past the end', aDetectionBody({ start_time: 70.001, end_time: 71 }), '/start_time'],
  ['with an end 60 s past the end', aDetectionBody({ start_time: 70, end_time: 70.001 }), '/end_time'],
  ['from a third source', aDetectionBody({ source: 'radar' }), '/source'],
  ['with half a track', aDetectionBody({ track_id: 1.5 }), '/track_id'],
  ['with a track of 65 characters', aDetectionBody({ track_id: 't'.repeat(65) }), '/track_id'],
  ['with NUL in its track', aDetectionBody({ track_id: 't\0' }), '/track_id'],
  ['with NUL in its provider', aDetectionBody({ detection_provider: '\0' }), '/detection_provider'],
  ['with boxes that are no list', aDetectionBody({ frames: 'none' }), '/frames'],
  ['with a box before its start', aDetectionBody({ frames: [{ t: -1, bbox: [0, 0, 1, 1] }] }), '/frames/0/t'],
  [
    'with a box 60 s past the end',
    aDetectionBody({ frames: [{ t: 70.001, bbox: [0, 0, 1, 1] }] }),
    '/frames/0/t',
  ],
  ['with a box outside on the right', box(0, 0, 1.0500001, 1), '/frames/1/bbox/2'],
  ['with a box outside on the top', box(0, -0.0500001, 1, 1), '/frames/1/bbox/1'],
  ['with a box of three', box(0, 0, 1), '/frames/1/bbox'],
  ['with a box of five', box(0, 0, 1, 1, 1), '/frames/1/bbox'],
  ['with a box in texts', box('0', 0, 1, 1), '/frames/1/bbox/0'],
];

describe('POST /videos, an invalid body', () => {
  let hub: TestIngest;
  let before: Record<string, number>;
  beforeAll(async () => {
    hub = await createTestIngest();
    before = await hub.countRows();
  });
  afterAll(() => hub.close());

  async function expectRefused(body: unknown, path: string): Promise<void> {
    const response = await hub.post('/videos', body);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(response.body.details.map((detail: { path: string }) => detail.path)).toEqual([path]);
    expect(response.body.error).toContain(path);
    expect(response.body.request_id).toBe(response.headers['x-request-id']);
    expect(await hub.countRows()).toEqual(before);
  }

  it.each(heads)(
    'a recording with %s, reports only that field and stores nothing',
    async (_, given, path) => {
      await expectRefused(
        aRecordingBody({ species: [aDetectionBody({ species_name: 'Never Stored' })], ...given }),
        path,
      );
    },
  );

  it.each(rows)('a row %s, is reported with its index and nothing is stored', async (_, row, path) => {
    const species = [aDetectionBody({ species_name: 'Never Stored' }), row, aDetectionBody()];
    await expectRefused(aRecordingBody({ species }), `/species/1${path}`);
  });

  it.each(['NaN', 'Infinity', '-Infinity'])('%s in the text, is invalid JSON', async (number) => {
    await expectRefused(JSON.stringify(aRecordingBody()).replace('0.9', number), '');
  });

  it.each([
    ['"confidence":0.9', '"confidence":1e999', '/species/0/confidence'],
    ['"end_time":2', '"end_time":1e999', '/species/0/end_time'],
    ['"start_time":0', '"start_time":-1e999', '/species/0/start_time'],
    ['"source":"video"', '"track_id":1e999', '/species/0/track_id'],
    ['"source":"video"', '"frames":[{"t":1e999,"bbox":[0,0,1,1]}]', '/species/0/frames/0/t'],
  ])('%s written as %s, is not a number', async (from, to, path) => {
    await expectRefused(JSON.stringify(aRecordingBody()).replace(from, to), path);
  });

  it.each([['null'], ['[]'], ['"text"'], ['3'], ['true']])('%s as the body, is refused', async (text) => {
    await expectRefused(text, '');
  });

  it('with many mistakes, reports up to about twenty of them', async () => {
    const species = Array.from({ length: 500 }, () => aDetectionBody({ confidence: 2 }));
    const { body } = await hub.post('/videos', aRecordingBody({ camera_id: 'a\nb', end_time: 'x', species }));
    const paths: string[] = body.details.map((detail: { path: string }) => detail.path);
    expect(paths.slice(0, 4)).toEqual([
      '/end_time',
      '/camera_id',
      '/species/0/confidence',
      '/species/1/confidence',
    ]);
    expect(paths.length).toBeLessThan(25);
    expect(await hub.countRows()).toEqual(before);
  });

  it('with values just inside the limits, is accepted', async () => {
    const species = [
      aDetectionBody({ confidence: 1, start_time: 70, end_time: 70, track_id: 't'.repeat(64) }),
      aDetectionBody({ species_name: '𝒢'.repeat(200), frames: [{ t: 0, bbox: [-0.05, -0.05, 1.05, 1.05] }] }),
      aDetectionBody({ source: undefined, frames: null, track_id: null, detection_provider: null }),
    ];
    const longest = { video_path: 'ü'.repeat(512), camera_id: '𝒢'.repeat(64) };
    const responses = [
      await hub.post('/videos', aRecordingBody({ ...longest, species })),
      await hub.post(
        '/videos',
        aRecordingBody({ video_path: 'day.mp4', start_time: at(0), end_time: at(day), species: [] }),
      ),
      await hub.post(
        '/videos',
        aRecordingBody({
          video_path: 'old.mp4',
          start_time: '2000-01-01T00:00:00Z',
          end_time: '2000-01-02T00:00:00Z',
        }),
      ),
    ];
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201]);
  });
});
