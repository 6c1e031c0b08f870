import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aMovie } from '../testing/a-movie.js';
import { createTestStorage, type TestStorage, testNow } from '../testing/create-test-storage.js';

const longAgo = new Date(testNow - 86_400_000);
const found = { message: 'success', imported: 0, already_known: 0, missing_files: 0, unreadable: 0 };
const path = '/system/recordings/scan';
const statusPath = `${path}/status`;

describe('a scan as a job', () => {
  let storage: TestStorage;

  beforeAll(async () => {
    storage = await createTestStorage();
  });
  beforeEach(() => storage.clear());
  afterAll(() => storage.close());

  async function place(name: string, bytes = aMovie(), at = longAgo): Promise<void> {
    const file = join(storage.deps.recordingsDir, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    await utimes(file, at, at);
  }
  const placeFour = async () => {
    for (let second = 0; second < 4; second += 1) await place(`2026/05/01/08150${second}/video.mp4`);
  };
  const scan = () => storage.post(path);
  const readStatus = async () => (await storage.get(statusPath)).body;
  const done = () => vi.waitFor(async () => expect((await readStatus()).status).toBe('done'), 5_000);

  it('in the background, responds at once and shows its result later', async () => {
    await placeFour();
    await place('broken.mp4', Buffer.from('no film at all'));
    const { status, body } = await storage.post(path, { background: true });
    expect([status, body]).toEqual([
      202,
      { message: expect.any(String), started: true, job_id: expect.any(Number) },
    ]);
    await done();
    expect(await readStatus()).toMatchObject({
      result: { ...found, imported: 4, unreadable: 1, generated: 4, failed: 1, skipped: 0 },
      progress: null,
      error: null,
    });
    const { rows } = await storage.database.pool.query('SELECT failures FROM job');
    expect(rows).toEqual([
      {
        failures: [
          {
            path: 'broken.mp4',
            reason: 'Its length is unknown',
            sentences: [{ code: 'length_unknown', values: {} }],
          },
        ],
      },
    ]);
  });

  it('before the first, is idle', async () => {
    expect(await readStatus()).toMatchObject({ status: 'idle', result: null });
  });

  it('while another scan runs, is refused with its progress', async () => {
    const { pool } = storage.database;
    const client = await pool.connect();
    await client.query(`SELECT pg_advisory_lock(hashtextextended('birdhub.job.scan', 0))`);
    await pool.query(`INSERT INTO job (kind, parameters, total) VALUES ('scan', '{"background": true}', 7)`);
    const { status, body } = await scan();
    expect([status, body.code, body.status.progress.total]).toEqual([409, 'job_running', 7]);
    await pool.query('TRUNCATE job');
    client.release(true);
  });

  it('whose process was killed, is resumed and includes its imports in the count', async () => {
    const { pool } = storage.database;
    await placeFour();
    await scan();
    await place('2026/05/01/091500/video.mp4');
    await pool.query('TRUNCATE job');
    await pool.query(
      `INSERT INTO job (kind, parameters, total, runner, started_at)
       VALUES ('scan', '{"background": true}', 9, 'killed', now() - interval '1 hour')`,
    );
    await done();
    expect((await readStatus()).result).toMatchObject({ imported: 5, already_known: 0 });
  });

  it('when cancelled, fails the requests that wait for it', async () => {
    await place('2026/05/20/a/115959.mp4', aMovie(), new Date(testNow - 1_000));
    const scanning = scan();
    await vi.waitFor(async () => {
      const { rowCount } = await storage.database.pool.query(`UPDATE job SET cancel_requested = true`);
      expect(rowCount).toBe(1);
    });
    storage.clock.advance(1_000);
    const { status, body } = await scanning;
    storage.clock.set(testNow);
    expect([status, body.code]).toEqual([409, 'job_cancelled']);
  });

  it('when its service stops, fails the requests that wait for it and is resumed at the next start', async () => {
    const other = await createTestStorage();
    const { recordingsDir } = other.deps;
    await writeFile(join(recordingsDir, '081530.mp4'), aMovie());
    other.clock.set(Date.now());
    const scanning = other.post(path);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const closing = other.stop();
    const { status, body } = await scanning;
    expect([status, body.code]).toEqual([503, 'starting']);
    await closing;
    const { rows } = await other.database.pool.query('SELECT state FROM job');
    expect(rows).toEqual([{ state: 'running' }]);
    await other.close();
  });

  it('with unknown keys in its body, is refused', async () => {
    const { status, body } = await storage.post(path, { colour: 1 });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });
});
