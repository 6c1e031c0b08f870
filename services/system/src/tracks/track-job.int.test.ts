import type { Frame } from '@birdhub/domain/recordings';
import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestMedia, type TestMedia, testPicture } from '../testing/create-test-media.js';
import { createTrackJob } from './track-job.js';
import { type Box, iou } from './tracks.js';

/** A white square of 48 pixels that moves right by 40 pixels a second on a grey picture of 320 × 240. */
const square = [
  ...['-f', 'lavfi', '-i', 'color=gray:s=320x240:r=10:d=6,noise=alls=6:allf=t'],
  ...['-f', 'lavfi', '-i', 'color=white:s=48x48:r=10:d=6'],
  ...['-filter_complex', "overlay=x='20+40*t':y=90", '-c:v', 'libx264', '-t', '6'],
];
const squareAt = (t: number): Box => [(20 + 40 * t) / 320, 90 / 240, (68 + 40 * t) / 320, 138 / 240];

describe('boxes of recordings', () => {
  let hub: TestMedia;
  let day = 0;

  beforeAll(async () => {
    hub = await createTestMedia();
    await hub.makeFile('square.mp4', square);
  });
  afterAll(() => hub.close());

  async function post(videoPath: string, ...detections: Parameters<typeof aDetection>[0][]): Promise<number> {
    day += 1;
    const start = Date.UTC(2026, 4, day, 8);
    return hub.post({ start, videoPath, cameraId: String(day), detections: detections.map(aDetection) });
  }
  const work = (videoId: number, force = false) =>
    createTrackJob(hub).work(videoId, { force, signal: new AbortController().signal });
  async function tracksOf(videoId: number): Promise<{ frames: Frame[]; track_source: string }[]> {
    const { rows } = await hub.pool.query(
      `SELECT frames, track_source FROM detection_track JOIN detection ON id = detection_id
       WHERE video_id = $1 ORDER BY id`,
      [videoId],
    );
    return rows;
  }
  const frame = (t: number, ...bbox: [number, number, number, number]): Frame => ({ t, bbox });

  it('not sent by the processor, follow what moves', async () => {
    const id = await post('square.mp4', { endOffset: 6 }, { source: 'audio' });
    const result = await work(id);
    const [track, ...others] = await tracksOf(id);
    expect([track?.track_source, others]).toEqual(['motion', []]);
    const frames = track?.frames ?? [];
    expect(result).toEqual({ outcome: 'generated', frames: frames.length });
    expect(frames.length).toBeGreaterThan(25);
    for (const { t, bbox } of frames) expect(iou(bbox, squareAt(t)), `at ${t} s`).toBeGreaterThan(0.5);
  });

  it('sent by the processor, are smoothed once, and again only from the original', async () => {
    const shaky = [
      frame(0, 0.1, 0.1, 0.3, 0.3),
      frame(0.5, 0.12, 0.1, 0.32, 0.3),
      frame(1, 0.1, 0.1, 1.04, 0.3),
    ];
    const id = await post('lost.mp4', { frames: shaky });
    expect(await work(id)).toEqual({ outcome: 'generated', frames: 6 });
    const made = await tracksOf(id);
    expect(made).toMatchObject([{ track_source: 'processor' }]);
    expect(made[0]?.frames.map(({ t }) => t)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(await work(id)).toEqual({ outcome: 'skipped' });
    expect(await work(id, true)).toEqual({ outcome: 'generated', frames: 6 });
    expect(await tracksOf(id)).toEqual(made);
  });

  it('sent for some detections only, are completed from the video', async () => {
    const frames = [frame(1, 0.7, 0.7, 0.8, 0.8)];
    const id = await post('square.mp4', { frames }, { endOffset: 6, trackId: '2' });
    await work(id);
    expect((await tracksOf(id)).map(({ track_source }) => track_source)).toEqual(['processor', 'motion']);
  });

  it('posted again, are those of the processor', async () => {
    const id = await post('square.mp4', { endOffset: 6 });
    await work(id);
    const start = Date.UTC(2026, 4, day, 8);
    const detections = [aDetection({ endOffset: 6, frames: [frame(1, 0, 0, 1, 1)] })];
    await hub.post({ start, videoPath: 'square.mp4', cameraId: String(day), detections });
    expect(await tracksOf(id)).toEqual([{ track_source: 'processor', frames: [frame(1, 0, 0, 1, 1)] }]);
  });

  it('without motion, are unchanged', async () => {
    await hub.makeFile('still.mp4', ['-f', 'lavfi', '-i', 'color=gray:s=64x48:r=10:d=2', '-c:v', 'libx264']);
    const id = await post('still.mp4', {});
    expect(await work(id)).toEqual({ outcome: 'skipped' });
    expect(await tracksOf(id)).toEqual([]);
  });

  it('without a file, fail with the reason', async () => {
    expect(await work(await post('nowhere.mp4', {}))).toEqual({
      outcome: 'failed',
      reason: { code: 'file_missing', values: {} },
    });
  });

  it('of audio detections, are skipped without decoding', async () => {
    await hub.makeFile('sound.mp4', testPicture);
    expect(await work(await post('sound.mp4', { source: 'audio' }))).toEqual({ outcome: 'skipped' });
  });
});
