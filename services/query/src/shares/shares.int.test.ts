import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { posterFile } from '@birdhub/domain/media';
import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';

const day = 86_400_000;
const startedAt = Date.UTC(2026, 10, 22, 8, 15);

describe('shared links', () => {
  let query: TestQuery;
  let videoId: number;
  let recordings = 0;

  const share = (body: object) => query.change('POST', '/api/ui/shares', body);
  const pathOf = ({ body }: { body: { url: string } }) => new URL(body.url).pathname;
  const shareClip = async (body: object = {}) => {
    const created = await share({ video_id: videoId, ...body });
    expect(created.status).toBe(201);
    return { id: created.body.id as number, path: pathOf(created), ...created };
  };

  beforeAll(async () => {
    query = await createTestQuery();
  });
  beforeEach(async () => {
    await query.setSettings({});
    query.clock.set(startedAt + 3 * 3_600_000);
    await query.database.pool.query('TRUNCATE share');
    recordings += 1;
    const path = `2026/11/22/081500/${recordings}.mp4`;
    await query.writeFile(path, 'film of a bird');
    ({ videoId } = await query.post({ videoPath: path, start: startedAt }));
    await query.database.pool.query(`UPDATE video SET media = 'ready' WHERE id = $1`, [videoId]);
    const poster = posterFile(query.recordingsDir, videoId);
    await mkdir(dirname(poster), { recursive: true });
    await writeFile(poster, 'poster');
    await utimes(poster, new Date(0), new Date(0));
  });
  afterAll(() => query.close());

  it('to a recording, show its page, its bytes in ranges and its poster without a session', async () => {
    const { path, body } = await shareClip({ t: 2 });
    expect(body).toMatchObject({
      url: expect.stringMatching(/^http:\/\/[^/]+\/s\/[\w-]{43}$/),
      expires_at: new Date(startedAt + 3 * 3_600_000 + 7 * day).toISOString(),
    });
    const page = await query.get(path);
    expect(page.status).toBe(200);
    expect(page.body).toContain(`${path}/media#t=2"`);
    expect(page.body).toContain('property="og:image"');
    expect(page.body).toContain('noindex');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-robots-tag': expect.stringContaining('noindex'),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(await query.get(`${path}/media`, { range: 'bytes=0-3' })).toMatchObject({
      status: 206,
      body: 'film',
      headers: { 'cache-control': 'private, no-cache', 'referrer-policy': 'no-referrer' },
    });
    expect(await query.get(`${path}/picture`)).toMatchObject({ status: 200, body: 'poster' });
  });

  it('to a recording that is being deleted, are refused', async () => {
    const client = await query.database.pool.connect();
    await client.query('BEGIN');
    await client.query('DELETE FROM video WHERE id = $1', [videoId]);
    const creating = share({ video_id: videoId });
    const waitsSql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await vi.waitUntil(async () => (await query.database.pool.query(waitsSql)).rowCount);
    await client.query('COMMIT');
    client.release();
    expect(await creating).toMatchObject({ status: 404, body: { code: 'video_not_found' } });
  });

  it('behind a proxy, have the address that the gateway forwards', async () => {
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'birds.example',
      'x-forwarded-prefix': '/hub',
    };
    const created = await query.app.inject({
      method: 'POST',
      url: '/api/ui/shares',
      headers: { ...headers, 'x-hub-caller': 'contributor' },
      payload: { video_id: videoId },
    });
    const { url } = created.json();
    expect(url).toMatch(/^https:\/\/birds\.example\/hub\/s\/[\w-]{43}$/);
    const page = await query.get(new URL(url).pathname.slice('/hub'.length), headers);
    expect(page.body).toContain(`content="${url}/picture"`);
    await query.setSettings({ notifications: { base_url: 'https://my.example/birds/' } });
    expect((await shareClip()).body.url).toMatch(/^https:\/\/my\.example\/birds\/s\//);
  });

  it('expired or revoked, show nothing from then on', async () => {
    const { path, id } = await shareClip({ expires_in_days: 1 });
    const other = await shareClip();
    expect((await query.change('DELETE', `/api/ui/shares/${other.id}`)).status).toBe(200);
    expect((await query.change('DELETE', `/api/ui/shares/${other.id}`)).status).toBe(404);
    query.clock.advance(day);
    for (const gone of [path, other.path]) {
      expect((await query.get(gone)).body.code).toBe('share_not_found');
      const page = await query.get(gone, { accept: 'text/html,*/*' });
      expect(page).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(page.body).toContain('This link no longer works');
      for (const file of ['media', 'picture'])
        expect(await query.get(`${gone}/${file}`)).toMatchObject({
          status: 404,
          body: { code: 'share_not_found' },
        });
    }
    expect((await query.get(`/api/ui/shares/${id}`)).body).toMatchObject({
      id,
      expired: true,
      video_id: videoId,
    });
  });

  it('while sharing is disabled, show nothing, and none is created', async () => {
    const { path } = await shareClip();
    await query.setSettings({ sharing: { enabled: false } });
    expect((await query.get(path)).status).toBe(404);
    expect((await query.get(`${path}/media`)).status).toBe(404);
    expect(await share({ video_id: videoId })).toMatchObject({
      status: 403,
      body: { code: 'sharing_forbidden' },
    });
    await query.setSettings({ sharing: { enabled: true } });
    expect((await query.get(path)).status).toBe(200);
  });

  it('to a deleted recording, show nothing', async () => {
    const { path } = await shareClip();
    expect((await query.change('DELETE', `/api/ui/videos/${videoId}`)).status).toBe(200);
    expect((await query.get(path)).status).toBe(404);
    expect((await query.get(`${path}/picture`)).status).toBe(404);
  });

  it.each([
    ['en', 'Sunday, 22 November 2026 at 8:15<'],
    ['en-US,en;q=0.9', 'Sunday, November 22, 2026 at 8:15'],
  ])('to a recording, for a reader of %s, have the dates and clock of the region', async (accepted, time) => {
    const { path } = await shareClip();
    expect((await query.get(path, { 'accept-language': accepted })).body).toContain(time);
  });

  it('to a day, list its species in the language of the reader and show no recording', async () => {
    await query.setSettings({ sharing: { place_name: '<b>Village</b>' } });
    const created = await share({ day: '2026-11-22', language: 'de' });
    const path = pathOf(created);
    const page = await query.get(path);
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain('<html lang="de">');
    expect(page.body).toContain('Sonntag, 22. November 2026');
    expect(page.body).toContain('/card.png?language=de"');
    expect(page.body).toContain('/card.png"');
    expect(page.body).toContain('&lt;b&gt;Village');
    expect((await query.get(path, { 'accept-language': 'ru,en;q=0.5' })).body).toContain('<html lang="ru">');
    expect((await query.get(`${path}/media`)).status).toBe(404);
  });

  it.each([
    [{}, '/video_id'],
    [{ video_id: 1, day: '2026-11-22' }, '/day'],
    [{ day: '2026-02-30' }, '/day'],
    [{ day: '2999-01-01' }, '/day'],
    [{ day: '2026-11-22', t: 3 }, '/t'],
    [{ day: '2026-11-22', expires_in_days: 0 }, '/expires_in_days'],
    [{ day: '2026-11-22', expires_in_days: 366 }, '/expires_in_days'],
    [{ day: '2026-11-22', expires_in_days: 'x' }, '/expires_in_days'],
    [{ day: '2026-11-22', language: 'xx' }, '/language'],
  ])('with %j, are refused naming the field', async (body, field) => {
    const { status, body: error } = await share(body);
    expect([status, error.details[0].path]).toEqual([400, field]);
    expect((await query.get('/api/ui/shares')).body).toEqual([]);
  });

  it('beyond the end, to an unknown recording or to a day without birds, are refused', async () => {
    expect(await share({ video_id: videoId, t: 80_000 })).toMatchObject({
      status: 400,
      body: { details: [{ path: '/t' }] },
    });
    expect(await share({ video_id: 999_999 })).toMatchObject({
      status: 404,
      body: { code: 'video_not_found' },
    });
    expect(await share({ day: '2020-01-01' })).toMatchObject({
      status: 404,
      body: { code: 'nothing_on_day' },
    });
  });

  it('to a day with a squirrel only, are refused as they would show nothing', async () => {
    await query.post({
      videoPath: 'squirrel.mp4',
      start: startedAt - 10 * day,
      detections: [aDetection({ speciesName: 'Eurasian Red Squirrel' })],
    });
    expect(await share({ day: '2026-11-12' })).toMatchObject({
      status: 404,
      body: { code: 'nothing_on_day' },
    });
  });

  it('to a deleted recording or expired more than 30 days ago, are not listed', async () => {
    const [kept, old] = [await share({ day: '2026-11-22', expires_in_days: 60 }), await shareClip()];
    const other = await query.post({ videoPath: 'other.mp4', start: startedAt + 60_000 });
    await share({ video_id: other.videoId, expires_in_days: 60 });
    expect((await query.change('DELETE', `/api/ui/videos/${other.videoId}`)).status).toBe(200);
    const list = async () => (await query.get('/api/ui/shares')).body.map(({ id }: { id: number }) => id);
    expect(await list()).toEqual([old.id, kept.body.id]);
    query.clock.advance(38 * day);
    expect(await list()).toEqual([kept.body.id]);
  });

  it('to a recording, are listed with its species and start, in one statement', async () => {
    const { videoId: two } = await query.post({
      videoPath: 'two.mp4',
      start: startedAt + 60_000,
      detections: [
        aDetection({ speciesName: 'Great Tit', startOffset: 4, endOffset: 5 }),
        aDetection({ speciesName: 'Eurasian Nuthatch', startOffset: 1, endOffset: 2 }),
        aDetection({ speciesName: 'Bird' }),
      ],
    });
    await share({ day: '2026-11-22' });
    const { id } = (await share({ video_id: two })).body;
    const ofClip = {
      video_id: two,
      start_time: new Date(startedAt + 60_000).toISOString(),
      species: ['Eurasian Nuthatch', 'Great Tit'],
    };
    expect((await query.get(`/api/ui/shares/${id}`)).body).toMatchObject(ofClip);
    expect((await query.get('/api/ui/shares')).body).toMatchObject([
      ofClip,
      { day: '2026-11-22', start_time: null, species: [] },
    ]);
    expect(await query.countStatements('/api/ui/shares')).toBe(1);
  });

  it('without a language, use that of the hub if the reader prefers none', async () => {
    await query.setSettings({ general: { language: 'nl' } });
    const { path } = await shareClip();
    expect((await query.get(path)).body).toContain('<html lang="nl">');
    expect((await query.get('/s/none', { accept: 'text/html' })).body).toContain('<html lang="nl">');
  });

  it('on their page, have relative files and a preview picture at the public address', async () => {
    await query.setSettings({ notifications: { base_url: 'https://my.example/birds' } });
    const { path } = await shareClip({ t: 0.000_000_4 });
    const { body } = await query.get(path.slice('/birds'.length));
    const token = path.slice('/birds/s/'.length);
    expect(body).toContain(`<video src="../s/${token}/media" `);
    expect(body).toContain(`poster="../s/${token}/picture?width=1280"`);
    expect(body).toContain(`property="og:image" content="https://my.example/birds/s/${token}/picture"`);
  });

  it('with guessed, malformed or path tokens, show nothing', async () => {
    const { path } = await shareClip();
    const token = path.slice('/s/'.length);
    const wrong = [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
      token.slice(0, 42),
      `${token}A`,
      '%25',
      '..',
      "' OR true --",
    ];
    for (const guess of wrong) {
      const page = await query.get(`/s/${encodeURIComponent(guess)}`);
      expect([guess, page.status]).toEqual([guess, 404]);
    }
    for (const below of ['media/../../api', 'poster', '..%2f..%2fapi', 'media/x'])
      expect((await query.get(`${path}/${below}`)).status).toBe(404);
  });

  it('in the database, contain no token, and the log names who shared what', async () => {
    const { path, id } = await shareClip();
    const { rows } = await query.database.pool.query('SELECT share::text AS row FROM share');
    expect(JSON.stringify(rows)).not.toContain(path.slice('/s/'.length));
    const { rows: log } = await query.database.pool.query(
      `SELECT data FROM activity_log WHERE type = 'share_created' ORDER BY id DESC LIMIT 1`,
    );
    expect(log).toEqual([{ data: { by: 'contributor', id, video_id: videoId } }]);
  });
});
