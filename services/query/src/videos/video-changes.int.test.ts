import { existsSync } from 'node:fs';
import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { between, getTimeline, hour, minute, start } from '../testing/timeline.js';

describe('a recording changed by a person', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  const mark = (id: number, body: object) => query.change('PATCH', `/api/ui/videos/${id}`, body);
  const remove = (id: number) => query.change('DELETE', `/api/ui/videos/${id}`);
  const rows = async (sql: string) => (await query.database.pool.query(sql)).rows;

  it('as a favourite, is marked in its details and in lists at once', async () => {
    const { videoId } = await query.post({ start });
    const favorites = () => getTimeline(query, `${between(0, minute)}&favorite=true`);
    expect((await favorites()).body).toEqual([]);
    const { status, body, headers } = await mark(videoId, { favorite: true });
    expect([status, body]).toEqual([200, { message: 'success', id: videoId, favorite: true }]);
    expect(headers['x-hub-consistency-token']).toBeDefined();
    expect((await query.get(`/api/ui/videos/${videoId}`)).body.favorite).toBe(true);
    expect((await favorites()).body).toHaveLength(1);
    expect((await mark(videoId, { favorite: true })).headers['x-hub-consistency-token']).toBeUndefined();
    await mark(videoId, { favorite: false });
    expect((await favorites()).body).toEqual([]);
  });

  it('late in a long visit, changes the list of the hour in which the visit began', async () => {
    const long = aDetection({ endOffset: 50 });
    const posted = [];
    for (let at = 0; at < 10; at += 1) {
      const videoStart = start + 2 * hour + at * minute;
      posted.push(await query.post({ start: videoStart, end: videoStart + minute, detections: [long] }));
    }
    const favorites = async () =>
      (await getTimeline(query, `${between(2 * hour, 2 * hour + minute)}&favorite=true`)).body;
    expect(await favorites()).toEqual([]);
    await mark(posted[9]?.videoId ?? 0, { favorite: true });
    expect(await favorites()).toHaveLength(1);
  });

  it.each([
    [{}, '/favorite'],
    [{ favorite: 1 }, '/favorite'],
    [{ favorite: true, media: 'purged' }, '/media'],
  ])('with %j, is refused naming the field', async (given, path) => {
    const { status, body } = await mark(1, given);
    expect([status, body.details[0].path]).toEqual([400, path]);
  });

  it('by deletion, loses its rows and files, and its visit is computed again', async () => {
    const at = start + 4 * hour;
    const paths = ['deleted/video.mp4', 'deleted/spectrogram.jpg'] as const;
    const files = await Promise.all(paths.map((path) => query.writeFile(path, 'film')));
    const kept = await query.post({ start: at });
    const recording = aRecording({ start: at + 15_000, videoPath: paths[0], spectrogramPath: paths[1] });
    const gone = await query.post(recording);
    expect(gone.visitIds).toEqual(kept.visitIds);
    await query.database.pool.query('TRUNCATE outbox, activity_log');
    const { status, body, headers } = await remove(gone.videoId);
    expect([status, body]).toEqual([200, { message: 'success' }]);
    expect(headers['x-hub-consistency-token']).toBeDefined();
    expect(files.map(existsSync)).toEqual([false, false]);
    const [visit] = (await getTimeline(query, between(4 * hour, 4 * hour + minute))).body;
    expect(visit).toMatchObject({ id: kept.visitIds[0], end_time: '2026-05-01T12:00:02+00:00' });
    expect(visit.detections).toHaveLength(1);
    expect(await rows('SELECT subject, payload FROM outbox')).toMatchObject([
      { subject: 'hub.v1.recording.removed', payload: { video_id: gone.videoId, visit_ids: kept.visitIds } },
    ]);
    expect(await rows('SELECT type, data FROM activity_log')).toMatchObject([
      { type: 'recording_removed', data: { by: 'contributor', video_id: gone.videoId, detections: 1 } },
    ]);
    expect(await query.writer.post(recording, 'test')).toMatchObject({ created: false, deleted: true });
  });

  it('after its deletion, is 410 for every change', async () => {
    const { videoId } = await query.post({ start: start + 6 * hour });
    await remove(videoId);
    for (const reply of [await remove(videoId), await mark(videoId, { favorite: true })])
      expect([reply.status, reply.body.code]).toEqual([410, 'recording_deleted']);
    expect((await query.get(`/api/ui/videos/${videoId}`)).status).toBe(410);
  });

  it('by several deletions at once, is deleted once', async () => {
    const { videoId } = await query.post({ start: start + 7 * hour });
    const replies = await Promise.all(Array.from({ length: 5 }, () => remove(videoId)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 410, 410, 410, 410]);
  });

  it('with an unknown id, is 404', async () => {
    for (const reply of [await remove(999_999), await mark(999_999, { favorite: true })])
      expect([reply.status, reply.body.code]).toEqual([404, 'video_not_found']);
  });
});
