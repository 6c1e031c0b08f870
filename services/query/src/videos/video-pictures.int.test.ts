import { relative } from 'node:path';
import { type PictureOutcome, posterFile } from '@birdhub/domain/media';
import { anAuthor } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { countOpenFiles } from '../testing/open-files.js';

describe('pictures of a recording', () => {
  let query: TestQuery;
  let hour = 0;
  const asked: number[] = [];
  /** What whoever makes pictures does when one is asked for. */
  let makePictures: (videoId: number) => Promise<PictureOutcome> = async () => 'unavailable';

  beforeAll(async () => {
    query = await createTestQuery({ pictures: { ask: askForPictures } });
  });
  afterEach(async () => {
    asked.length = 0;
    await expect.poll(() => countOpenFiles(query.recordingsDir)).toBe(0);
  });
  afterAll(() => query.close());

  function askForPictures(videoId: number): Promise<PictureOutcome> {
    asked.push(videoId);
    return makePictures(videoId);
  }
  async function post(
    media = 'ready',
    spectrogramPath: string | null = null,
    videoPath?: string,
  ): Promise<number> {
    hour += 1;
    const start = Date.UTC(2026, 4, 1, hour);
    const { videoId } = await query.post({ start, spectrogramPath, ...(videoPath && { videoPath }) });
    await query.database.pool.query('UPDATE video SET media = $2 WHERE id = $1', [videoId, media]);
    return videoId;
  }
  const ask = (videoId: number, what: string, headers: Record<string, string> = {}) =>
    query.get(`/api/ui/videos/${videoId}/${what}`, headers);
  const keepPoster = (videoId: number) =>
    query.writeFile(relative(query.recordingsDir, posterFile(query.recordingsDir, videoId)), 'a picture');

  it('a poster, is sent as JPEG, and not again to who has it', async () => {
    const id = await post();
    await keepPoster(id);
    const { status, headers } = await ask(id, 'poster');
    expect([status, headers['content-type'], headers['content-length']]).toEqual([200, 'image/jpeg', '9']);
    const again = await ask(id, 'poster', { 'if-none-match': String(headers['etag']) });
    expect(again.status).toBe(304);
  });

  it('a spectrogram of the recordings tree, is sent as what it is', async () => {
    await query.writeFile('a/spectrogram_100.png', 'a picture');
    const id = await post('ready', 'data/recordings/a/spectrogram_100.png');
    const { status, headers } = await ask(id, 'spectrogram');
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
  });

  it.each(['notes.txt', 'film.mp4', 'lost.jpg'])('a spectrogram named %s, is none', async (path) => {
    if (path !== 'lost.jpg') await query.writeFile(path, 'x');
    const { status, body } = await ask(await post('ready', path), 'spectrogram');
    expect([status, body.code]).toEqual([404, 'media_missing']);
  });

  it.each([
    ['pending', 503, 'media_pending', '5'],
    ['missing', 404, 'media_missing', undefined],
    ['ready', 404, 'media_missing', undefined],
    ['purged', 410, 'media_purged', undefined],
  ])('none, and the recording is %s, is %i %s', async (media, expected, code, retryAfter) => {
    const id = await post(media);
    for (const what of ['poster', 'spectrogram']) {
      const { status, body, headers } = await ask(id, what);
      expect([status, body.code, headers['retry-after']]).toEqual([expected, code, retryAfter]);
    }
  });

  it('a poster that is not made yet, is made before all others and sent', async () => {
    await query.writeFile('a.mp4', 'film');
    const id = await post('ready', null, 'a.mp4');
    makePictures = async () => {
      await keepPoster(id);
      return 'made';
    };
    expect((await ask(id, 'poster')).status).toBe(200);
    expect((await ask(id, 'poster')).status).toBe(200);
    expect(asked).toEqual([id]);
  });

  it('a spectrogram that is not made yet, is made before all others and sent', async () => {
    await query.writeFile('b.mp4', 'film');
    const id = await post('ready', null, 'b.mp4');
    makePictures = async () => {
      await query.writeFile('b.jpg', 'a picture');
      await query.writer.noteSpectrogram(id, 'b.jpg');
      return 'made';
    };
    const { status, headers } = await ask(id, 'spectrogram');
    expect([status, headers['content-type']]).toEqual([200, 'image/jpeg']);
  });

  it.each([
    ['late', 503, 'media_pending'],
    ['unavailable', 503, 'media_pending'],
    ['unmade', 404, 'media_missing'],
    ['made', 404, 'media_missing'],
  ] as const)('a file is there and making its pictures is %s, is %i %s', async (outcome, status, code) => {
    await query.writeFile('c.mp4', 'film');
    const id = await post('ready', null, 'c.mp4');
    makePictures = async () => outcome;
    for (const what of ['poster', 'spectrogram']) {
      const answer = await ask(id, what);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      const pending = [answer.body.video_id, answer.headers['retry-after']];
      expect(pending).toEqual(status === 503 ? [id, '5'] : [undefined, undefined]);
    }
  });

  it('the file is not there, or was cleared, nobody is asked to make pictures', async () => {
    for (const media of ['pending', 'missing', 'purged'])
      await ask(await post(media, null, 'nowhere.mp4'), 'poster');
    await query.writeFile('d.mp4', 'film');
    await ask(await post('purged', null, 'd.mp4'), 'poster');
    expect(asked).toEqual([]);
  });

  it('a recording that is not there, or deleted, is said to be so', async () => {
    const id = await post();
    await query.writer.remove(id, anAuthor);
    for (const what of ['poster', 'spectrogram']) {
      expect((await ask(id, what)).body.code).toBe('recording_deleted');
      expect((await ask(999_999, what)).body.code).toBe('video_not_found');
    }
  });

  it('the settings ask for it, are for those alone who unlocked the hub', async () => {
    const id = await post();
    await keepPoster(id);
    await query.setSettings({ general: { require_auth_for_video_stream: true } });
    expect((await ask(id, 'poster', { 'x-hub-caller': 'viewer' })).body.code).toBe('unlock_required');
    expect((await ask(id, 'poster', { 'x-hub-caller': 'contributor' })).status).toBe(200);
    await query.setSettings({});
  });
});
