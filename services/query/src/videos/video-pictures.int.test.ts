import { relative } from 'node:path';
import { posterFile } from '@birdhub/shared/media';
import { anAuthor } from '@birdhub/shared/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { countOpenFiles } from '../testing/open-files.js';

describe('pictures of a recording', () => {
  let query: TestQuery;
  let hour = 0;

  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterEach(async () => {
    await expect.poll(() => countOpenFiles(query.recordingsDir)).toBe(0);
  });
  afterAll(() => query.close());

  async function post(media = 'ready', spectrogramPath: string | null = null): Promise<number> {
    hour += 1;
    const { videoId } = await query.post({ start: Date.UTC(2026, 4, 1, hour), spectrogramPath });
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
