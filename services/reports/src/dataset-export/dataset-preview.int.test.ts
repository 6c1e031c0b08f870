import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, PostedDetection } from '@birdhub/domain/recordings';
import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClip } from '../testing/clips.js';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { readZip } from '../testing/read-zip.js';

const frames: Frame[] = [{ t: 1, bbox: [0.1, 0.2, 0.4, 0.8] }];
const day = 86_400_000;
const firstDay = Date.UTC(2026, 4, 1, 8);

describe('GET /dataset/preview', () => {
  let reports: TestReports;

  const post = (start: number, videoPath: string, detections: Partial<PostedDetection>[]) =>
    reports.writer.post(
      aRecording({ start, videoPath, detections: detections.map((given) => aDetection(given)) }),
      'test',
    );

  const ask = (query: string) => reports.app.inject({ url: `/api/ui/dataset/preview?${query}` });

  /** The counts of the export, in the format of the preview. */
  async function exported(query: string) {
    const { rawPayload } = await reports.app.inject({ url: `/api/ui/dataset/export?${query}` });
    const files = readZip(rawPayload);
    const info = JSON.parse(String(files.get('dataset_info.json')));
    const pictures = [...files.keys()].filter((name) => name.endsWith('.jpg'));
    const isOn = (side: string) => (name: string) =>
      name.startsWith(`${side}/`) || name.startsWith(`images/${side}/`);
    return {
      total_images: info.total_images,
      train: pictures.filter(isOn('train')).length,
      val: pictures.filter(isOn('val')).length,
      classes: info.classes.map(({ name, species_id }: { name: string; species_id: number }) => {
        return { name, species_id, images: (info.train[name] ?? 0) + (info.val[name] ?? 0) };
      }),
      skipped: info.skipped,
    };
  }

  /** Six days with two birds each, and what cannot be exported. */
  beforeAll(async () => {
    reports = await createTestReports();
    const fileOf = (name: string) => join(reports.dataDir, 'recordings', name);
    await makeClip(fileOf('0.mp4'), 'color=gray:s=320x240:r=10:d=4');
    for (let at = 0; at < 6; at += 1) {
      if (at > 0) await copyFile(fileOf('0.mp4'), fileOf(`${at}.mp4`));
      await post(firstDay + at * day, `${at}.mp4`, [
        { speciesName: 'Great Tit', trackId: '1', frames, confidence: 0.5 + at / 20 },
        { speciesName: 'House Finch', trackId: '2', frames },
        { speciesName: 'Unknown', frames },
      ]);
    }
    await post(firstDay + 10 * day, 'gone.mp4', [{ speciesName: 'Great Tit', frames }]);
    await post(firstDay + 12 * day, 'song.wav', [{ speciesName: 'Great Tit', frames }]);
    await post(firstDay + 11 * day, 'heard.mp4', [{ speciesName: 'Great Tit', source: 'audio' }]);
  });
  afterAll(() => reports.close());

  it.each([
    '',
    'val_ratio=0.5',
    'val_ratio=0.5&split_seed=7',
    'format=yolo',
    'format=coco&val_ratio=0.5',
    'min_confidence=0.6',
    'min_images_per_class=7',
    'start_date=2026-05-02&end_date=2026-05-03',
  ])('with "%s", has the counts of the export', async (query) => {
    const response = await ask(query);
    expect([response.statusCode, response.json()]).toEqual([200, await exported(query)]);
  });

  it('of all data, counts by class with reasons for the rest', async () => {
    expect((await ask('')).json()).toMatchObject({
      total_images: 12,
      classes: [
        { name: 'Great Tit', images: 6 },
        { name: 'House Finch', images: 6 },
      ],
      skipped: { generic_species: 6, audio: 2, media_missing: 1 },
    });
  });

  it('without matches, has zeros', async () => {
    const response = await ask('end_date=2020-01-01');
    expect(response.headers).toMatchObject({
      etag: expect.stringMatching(/^W\//),
      'cache-control': 'no-cache',
    });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { total_images: 0, train: 0, val: 0, classes: [], skipped: {} },
    ]);
  });

  it('with an invalid day, is refused naming the parameter', async () => {
    const response = await ask('start_date=2026-02-30');
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { details: [{ path: 'start_date' }] },
    ]);
  });
});
