import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@birdhub/shared/time';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
  type TestWriter,
} from '@birdhub/testing';
import { pino } from 'pino';
import { createMediaTools } from '../media/media-tools.js';
import type { VideoInspectorDeps } from '../media/video-inspector.js';

const run = promisify(execFile);

/** A database, folders and tools to inspect recordings. */
export interface TestMedia extends VideoInspectorDeps {
  readonly maxConcurrency: number;
  readonly database: TestDatabase;
  readonly writer: TestWriter['writer'];
  /** Posts a recording. Returns its id. */
  post(recording: Parameters<typeof aRecording>[0]): Promise<number>;
  /** Creates a file below the recordings folder with `ffmpeg`, with an older modification time. */
  makeFile(path: string, args: readonly string[]): Promise<string>;
  /** Sets an older modification time on a file. */
  age(file: string): Promise<void>;
  row(videoId: number): Promise<{ media: string; file_size: number | null; spectrogram_path: string | null }>;
  close(): Promise<void>;
}

/** Arguments of `ffmpeg` for two seconds of a test picture and of a tone. */
export const testPicture = ['-f', 'lavfi', '-i', 'testsrc=s=160x120:r=10:d=2'];
export const testTone = ['-f', 'lavfi', '-i', 'sine=f=3000:d=2'];

/** Caches files by the arguments of their creation, as encoding is slower than most tests. */
const createdFiles = new Map<string, Buffer>();

/** Creates real components with shorter delays. */
export async function createTestMedia(): Promise<TestMedia> {
  const database = await createTestDatabase();
  const { pool } = database;
  const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-media-'));
  const recordingsDir = join(dataDir, 'recordings');
  await mkdir(recordingsDir);
  const { writer } = createTestWriter(pool);
  const age = (file: string) => {
    const hourAgo = Date.now() / 1_000 - 3_600;
    return utimes(file, hourAgo, hourAgo);
  };
  return {
    database,
    pool,
    notifier: { notify: () => undefined, wake: () => undefined },
    writer,
    dataDir,
    recordingsDir,
    tools: createMediaTools({ ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe' }, 1),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    fileTimeoutMs: 86_400_000,
    maxConcurrency: 2,
    post: async (recording) => (await writer.post(aRecording(recording), 'test')).videoId,
    async makeFile(path, args) {
      const file = join(recordingsDir, path);
      await mkdir(dirname(file), { recursive: true });
      const key = [...args, extname(path)].join(' ');
      const content = createdFiles.get(key);
      if (content) await writeFile(file, content);
      else {
        await run('ffmpeg', ['-v', 'error', '-y', ...args, file]);
        createdFiles.set(key, await readFile(file));
      }
      await age(file);
      return file;
    },
    age,
    async row(videoId) {
      const text = 'SELECT media, file_size, spectrogram_path FROM video WHERE id = $1';
      const { rows } = await pool.query(text, [videoId]);
      return rows[0];
    },
    async close() {
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
