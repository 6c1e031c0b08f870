import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  readCountedFiles,
  readFiles,
  type TestDatabase,
  type TestWriter,
  testAuthor,
} from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const start = Date.UTC(2026, 4, 1, 8);

describe('saveFileStates', () => {
  let database: TestDatabase;
  let hub: TestWriter;

  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
  });
  beforeEach(() => database.pool.query('TRUNCATE video, deleted_video, media_quarter, hub_counter CASCADE'));
  afterAll(() => database.drop());

  const post = async (after = 0, path = `${after}.mp4`, detections?: []) =>
    (
      await hub.writer.post(
        aRecording({ start: start + after, videoPath: path, ...(detections && { detections }) }),
        'test',
      )
    ).videoId;
  const ready = (videoId: number, sizeBytes: number) =>
    hub.writer.saveFileStates([{ videoId, state: 'ready', sizeBytes }]);
  const missing = (videoId: number) => hub.writer.saveFileStates([{ videoId, state: 'missing' }]);

  async function expectCounts(quarters: readonly [after: number, files: number, bytes: number][]) {
    const counted = await readCountedFiles(database.pool);
    expect(counted).toEqual(await readFiles(database.pool));
    expect(counted.quarters).toEqual(
      quarters.map(([after, files, bytes]) => ({ beginsAt: start + after, files, bytes })),
    );
  }

  it('a new file, is counted with its size', async () => {
    const id = await post();
    expect(await ready(id, 100)).toEqual({ changed: [id] });
    await expectCounts([[0, 1, 100]]);
  });

  it('the same state again, changes nothing and sends no notice', async () => {
    const id = await post();
    await ready(id, 100);
    expect(await ready(id, 100)).toEqual({ changed: [] });
    await expectCounts([[0, 1, 100]]);
  });

  it('another size, replaces the first', async () => {
    const id = await post();
    await ready(id, 100);
    await ready(id, 70);
    await expectCounts([[0, 1, 70]]);
  });

  it('a file that disappeared and returned, is counted once', async () => {
    const id = await post();
    await ready(id, 100);
    await missing(id);
    await expectCounts([]);
    await ready(id, 100);
    await expectCounts([[0, 1, 100]]);
  });

  it('an unreadable file, keeps its recorded size and time until it is read or deleted', async () => {
    const id = await post();
    const marked = async () => {
      const { rows } = await database.pool.query('SELECT media, file_size, unreadable_at FROM video');
      return rows[0];
    };
    const unreadable = { sizeBytes: 31, modifiedMs: start };
    await ready(id, 100);
    const file = { videoId: id, state: 'missing' as const, unreadable };
    expect((await hub.writer.saveFileStates([file])).changed).toEqual([id]);
    expect((await hub.writer.saveFileStates([file])).changed).toEqual([]);
    expect(await marked()).toEqual({ media: 'missing', file_size: 31, unreadable_at: new Date(start) });
    await expectCounts([]);
    await missing(id);
    expect(await marked()).toEqual({ media: 'missing', file_size: 31, unreadable_at: null });
    await hub.writer.saveFileStates([file]);
    await ready(id, 70);
    expect(await marked()).toEqual({ media: 'ready', file_size: 70, unreadable_at: null });
    await expectCounts([[0, 1, 70]]);
  });

  it('several files at once, are counted per quarter of an hour', async () => {
    const ids = [await post(), await post(899_000), await post(900_000)];
    await hub.writer.saveFileStates(
      ids.map((videoId, index) => ({ videoId, state: 'ready', sizeBytes: 10 ** index })),
    );
    await expectCounts([
      [0, 2, 11],
      [900_000, 1, 100],
    ]);
  });

  it('a recording posted again with another start, is counted at the new time', async () => {
    const id = await post(0, 'moved.mp4');
    await ready(id, 100);
    await post(3_600_000, 'moved.mp4');
    await expectCounts([[3_600_000, 1, 100]]);
  });

  it('a deleted recording, is no longer counted', async () => {
    const id = await post();
    await ready(id, 100);
    await hub.writer.remove(id, testAuthor);
    await expectCounts([]);
  });

  it('an unknown recording, is ignored', async () => {
    expect(await ready(4711, 1)).toEqual({ changed: [] });
  });

  it('concurrent states from many connections, count each file once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => post(index * 300_000)));
    const others = [hub.writer, createTestWriter(database.pool).writer];
    const states = (size: number) =>
      ids.map((videoId) => ({ videoId, state: 'ready' as const, sizeBytes: size }));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => others[index % 2]?.saveFileStates(states(index))),
    );
    const counted = await readCountedFiles(database.pool);
    expect(counted).toEqual(await readFiles(database.pool));
    expect(counted.quarters.map((quarter) => quarter.files)).toEqual([3, 3, 3, 3]);
  });
});
