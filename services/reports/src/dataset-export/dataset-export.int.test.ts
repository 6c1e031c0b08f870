import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, PostedDetection } from '@birdhub/domain/recordings';
import { aDetection, aRecording } from '@birdhub/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeClip } from '../testing/clips.js';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { readZip } from '../testing/read-zip.js';

/** Grey; the left half is red before 2 s and blue after. */
const scene = [
  'color=gray:s=320x240:r=10:d=4',
  "drawbox=x=0:y=0:w=160:h=240:color=red:t=fill:enable='lt(t,1.95)'",
  "drawbox=x=160:y=0:w=160:h=240:color=blue:t=fill:enable='gte(t,1.95)'",
].join(',');

const at = (t: number, ...bbox: Frame['bbox']): Frame => ({ t, bbox });
const left = [at(1, 0.1, 0.2, 0.4, 0.8), at(1.5, 0.1, 0.1, 0.4, 0.9)];
const right = [at(3, 0.6, 0.2, 0.9, 0.8)];
const hour = 3_600_000;
const day = 24 * hour;
const firstDay = Date.UTC(2026, 4, 1, 8);

/** Names that are difficult for file systems and archives. */
const [tit, finch, crow] = ['Sýkora / koňadra', 'House Finch', 'CON'];

const spools = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith('birdhub-dataset-'));

describe('GET /dataset/export', () => {
  let reports: TestReports;
  const fileOf = (name: string) => join(reports.dataDir, 'recordings', name);

  const post = async (
    start: number,
    videoPath: string,
    detections: Partial<PostedDetection>[],
    cameraId = 'garden',
  ) =>
    (
      await reports.writer.post(
        aRecording({
          start,
          videoPath,
          cameraId,
          detections: detections.map((given) => aDetection({ endOffset: 4, ...given })),
        }),
        'test',
      )
    ).videoId;

  const ask = (query = '') => reports.app.inject({ url: `/api/ui/dataset/export?${query}` });

  async function get(query = '') {
    const response = await ask(query);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/zip']);
    const files = readZip(response.rawPayload);
    const names = [...files.keys()];
    const text = (name: string) => String(files.get(name));
    const pictures = names.filter((name) => name.endsWith('.jpg'));
    return { files, names, pictures, text, info: JSON.parse(text('dataset_info.json')) };
  }

  /** Ten visits of two species on ten days, five seen by another camera, and what cannot be exported. */
  beforeAll(async () => {
    reports = await createTestReports();
    vi.stubEnv('TMPDIR', reports.dataDir);
    await makeClip(fileOf('scene.mp4'), scene);
    for (let visit = 0; visit < 10; visit += 1) {
      const videoPath = `${visit}.mp4`;
      await copyFile(fileOf('scene.mp4'), fileOf(videoPath));
      const birds = [
        { speciesName: tit, trackId: '1', frames: left, confidence: 0.5 + visit / 20 },
        { speciesName: finch, trackId: '2', frames: right },
      ];
      await post(firstDay + visit * day, videoPath, birds, visit % 2 ? 'feeder' : 'garden');
    }
    await post(firstDay + 20 * day, 'scene.mp4', [
      { speciesName: tit, source: 'audio' },
      { speciesName: tit, frames: [] },
      { speciesName: 'Unknown', frames: left },
      { speciesName: crow, trackId: 'a/b', frames: left },
    ]);
    await post(firstDay + 21 * day, 'gone.mp4', [{ speciesName: finch, frames: left }]);
    await writeFile(fileOf('broken.mp4'), 'broken');
    await post(firstDay + 22 * day, 'broken.mp4', [{ speciesName: finch, frames: left }]);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await reports.close();
  });

  it('of all data, has the pictures by class, with matching sums and reasons for the rest', async () => {
    const { names, pictures, info } = await get();
    expect(names.at(-1)).toBe('dataset_info.json');
    expect(names.at(-2)).toBe('labels.csv');
    expect(pictures).toHaveLength(21);
    for (const name of pictures)
      expect(name).toMatch(/^(train|val)\/(Sýkora _ koňadra|House Finch|CON_)\/\d+_(1|2|a_b)_1\.jpg$/);
    const counted: Record<string, Record<string, number>> = { train: {}, val: {} };
    for (const [split = '', name = ''] of pictures.map((picture) => picture.split('/')))
      counted[split] = { ...counted[split], [name]: (counted[split]?.[name] ?? 0) + 1 };
    expect(info).toEqual({
      created_at: '2026-06-01T12:00:00.000Z',
      hub_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      format: 'crops',
      ...counted,
      total_images: 21,
      val_ratio: 0.2,
      split_seed: 42,
      skipped: { audio: 1, no_box: 1, generic_species: 1, media_missing: 1, undecodable: 1 },
      classes: [
        { name: 'CON_', scientific_name: null, species_id: expect.any(Number) },
        { name: 'House Finch', scientific_name: expect.any(String), species_id: expect.any(Number) },
        { name: 'Sýkora _ koňadra', scientific_name: null, species_id: expect.any(Number) },
      ],
    });
  });

  it('of pictures, shows in each the bird of its class', async () => {
    const { files, pictures } = await get('min_images_per_class=2');
    for (const name of pictures) {
      const picture = sharp(files.get(name));
      const { width, height } = await picture.metadata();
      expect([width, height]).toEqual(name.includes('Finch') ? [126, 188] : [126, 240]);
      const { channels } = await picture.stats();
      const [red = 0, , blue = 0] = channels.map(({ mean }) => mean);
      expect(name.includes('Finch') ? blue - red : red - blue).toBeGreaterThan(100);
    }
  });

  it('of pictures, has the label of each in labels.csv', async () => {
    const { text, pictures } = await get('only_reviewed=false');
    const [header, ...rows] = text('labels.csv').trimEnd().split('\r\n');
    expect(header).toBe(
      'file,split,class,species_id,video_id,detection_id,track_id,box,confidence,reviewed,source_video',
    );
    expect(rows.map((row) => row.split(',')[0])).toEqual(pictures);
    expect(rows[0]).toMatch(
      /^(train|val)\/Sýkora _ koňadra\/\d+_1_1\.jpg,\1,Sýkora _ koňadra,\d+,\d+,\d+,1,0\.1 0\.1 0\.4 0\.9,0\.5,false,0\.mp4$/,
    );
  });

  it.each([
    ['start_date=2026-05-03&end_date=2026-05-04', 4],
    ['end_date=2026-05-01', 2],
    ['min_confidence=0.95', 1],
    ['min_images_per_class=2', 20],
    ['min_images_per_class=10', 20],
    ['min_images_per_class=11', 10],
  ])('with %s, has %i pictures', async (query, count) => {
    const { pictures, info } = await get(query);
    expect([pictures.length, info.total_images]).toEqual([count, count]);
  });

  it('with a class below the minimum, leaves it out and counts it', async () => {
    expect((await get('min_images_per_class=11')).info.skipped.below_min_images).toBe(11);
  });

  it('with reviewed detections only, leaves out the others', async () => {
    await reports.database.pool.query(
      `UPDATE detection SET reviewed = true WHERE id = (SELECT min(id) FROM detection)`,
    );
    expect((await get('only_reviewed=1')).pictures).toHaveLength(1);
  });

  it('with days, uses those of the zone of the hub', async () => {
    await reports.setSettings({ general: { timezone: 'Pacific/Auckland' } });
    const { pictures } = await get('end_date=2026-05-01');
    await reports.setSettings({});
    expect(pictures).toHaveLength(2);
    await reports.setSettings({ general: { timezone: 'Pacific/Honolulu' } });
    expect((await get('end_date=2026-05-01')).pictures).toHaveLength(4);
    await reports.setSettings({});
  });

  it.each([
    ['val_ratio=0', ['train']],
    ['val_ratio=1', ['val']],
  ])('with %s, has one split only', async (query, sides) => {
    const { pictures } = await get(query);
    expect([...new Set(pictures.map((name) => name.split('/')[0]))]).toEqual(sides);
  });

  it('with the same seed, is split equally, also with new pictures, and differs with another seed', async () => {
    const query = 'val_ratio=0.5&start_date=2026-05-01&end_date=2026-05-10';
    const before = (await get(query)).pictures;
    expect(new Set(before.map((name) => name.split('/')[0])).size).toBe(2);
    await post(
      firstDay + 8 * day + 6 * hour,
      'scene.mp4',
      [{ speciesName: finch, frames: right, trackId: 'new' }],
      'third',
    );
    const after = (await get(query)).pictures;
    expect(after).toHaveLength(before.length + 1);
    expect(after).toEqual(expect.arrayContaining(before));
    expect((await get(`${query}&split_seed=7`)).pictures).not.toEqual(after);
  });

  it('with several birds of one visit, has them in one split', async () => {
    const birds = Array.from({ length: 12 }, (_, index) => ({
      speciesName: 'Jackdaw',
      trackId: `${index % 3}`,
      frames: left,
      startOffset: index / 10,
    }));
    await post(Date.UTC(2026, 2, 1), 'scene.mp4', birds, 'jackdaws');
    const { pictures } = await get('start_date=2026-03-01&end_date=2026-03-01&val_ratio=0.5');
    expect(pictures).toHaveLength(12);
    expect(new Set(pictures.map((name) => name.split('/')[0])).size).toBe(1);
  });

  it('as yolo, has whole frames and their boxes', async () => {
    const { names, pictures, files, text, info } = await get(
      'format=yolo&start_date=2026-05-01&end_date=2026-05-05&val_ratio=0',
    );
    const labels = names.filter((name) => name.startsWith('labels/'));
    expect(labels).toEqual(
      pictures.map((name) => name.replace('images/', 'labels/').replace('.jpg', '.txt')),
    );
    expect(info.total_images).toBe(pictures.length);
    const { width, height } = await sharp(files.get(pictures[0] ?? '')).metadata();
    expect([width, height]).toEqual([320, 240]);
    expect(text(labels[0] ?? '')).toBe('1 0.250000 0.500000 0.300000 0.800000\n');
    expect(text('data.yaml')).toBe(
      'path: .\ntrain: images/train\nval: images/val\nnc: 2\nnames:\n  0: "House Finch"\n  1: "Sýkora _ koňadra"\n',
    );
    expect(info.train).toEqual({ 'House Finch': 5, 'Sýkora _ koňadra': 5 });
  });

  it('as coco, has matching lists of pictures, boxes and classes', async () => {
    const { pictures, text, info } = await get(
      'format=coco&start_date=2026-05-01&end_date=2026-05-05&val_ratio=0.5',
    );
    let boxes = 0;
    for (const split of ['train', 'val']) {
      const lists = JSON.parse(text(`annotations/instances_${split}.json`));
      const names = lists.images.map((image: { file_name: string }) => `images/${split}/${image.file_name}`);
      expect(names).toEqual(pictures.filter((name) => name.startsWith(`images/${split}/`)));
      const ids = new Set(lists.images.map(({ id }: { id: number }) => id));
      for (const { image_id, category_id, bbox } of lists.annotations) {
        expect(ids).toContain(image_id);
        expect(bbox).toEqual(category_id === 1 ? [192, 48, 96, 144] : [32, 24, 96, 192]);
      }
      boxes += lists.annotations.length;
      expect(lists.categories.map(({ name }: { name: string }) => name)).toEqual([
        'House Finch',
        'Sýkora _ koňadra',
      ]);
    }
    expect(boxes).toBe(info.total_images);
  });

  it('with a frame with birds of both splits, leaves it out of whole frames', async () => {
    const birds = ['Magpie', 'Blackbird', 'Nuthatch', 'Wren', 'Dunnock', 'Siskin'].map((speciesName) => ({
      speciesName,
      frames: left,
    }));
    await post(Date.UTC(2026, 1, 1), 'scene.mp4', birds, 'mixed');
    await post(Date.UTC(2026, 1, 1, 5), 'scene.mp4', [{ speciesName: 'Magpie', frames: left }], 'alone');
    const { pictures, info } = await get(
      'format=yolo&start_date=2026-02-01&end_date=2026-02-01&val_ratio=0.5',
    );
    expect([pictures.length, info.skipped]).toEqual([1, { on_both_sides: 1 }]);
  });

  it.each([
    ['nothing in the window', 'start_date=2020-01-01&end_date=2020-01-31'],
    ['no class that is large enough', 'min_images_per_class=1000'],
    ['no recording whose file is there', 'start_date=2026-05-22&end_date=2026-05-23'],
  ])('with %s, is 404', async (_, query) => {
    const response = await ask(query);
    expect([response.statusCode, response.json().code]).toEqual([404, 'dataset_empty']);
  });

  it.each([
    ['start_date=2026-02-30', 'start_date'],
    ['end_date=today', 'end_date'],
    ['start_date=2026-05-02&end_date=2026-05-01', 'end_date'],
    ['val_ratio=1.1', 'val_ratio'],
    ['min_confidence=x', 'min_confidence'],
    ['min_images_per_class=0', 'min_images_per_class'],
    ['split_seed=0.5', 'split_seed'],
    ['format=tar', 'format'],
  ])('with %s, is refused and names %s', async (query, path) => {
    const response = await ask(query);
    expect([response.statusCode, response.json()]).toMatchObject([400, { details: [{ path }] }]);
  });

  it('after its end, leaves no files', async () => {
    await get();
    const { pool } = reports.database;
    await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount));
    expect(await spools(reports.dataDir)).toEqual([]);
  });
});
