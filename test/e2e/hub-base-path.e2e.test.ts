import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import { createProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { recordingBody } from '@birdhub/tools/demo/recording-body';
import { beforeAll, describe, expect, it } from 'vitest';
import { nextUrl, readJson, type TimelineItem, type VideoAnswer } from './fixtures/hub-answers.js';
import { placeFiles, planPostedDay, postedDate } from './fixtures/posted-day.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder();
const recordings = planPostedDay().slice(0, 4);
let hub: TestHub;
let origin: string;
let lastId: number;

beforeAll(async () => {
  hub = await startHubIn(folder, { ...inOneProcess, BASE_PATH: '/birds', PROCESSOR_SECRET: 'feeder' });
  origin = new URL(hub.baseUrl).origin;
  await placeFiles(hub.recordingsDir, recordings);
  const client = createProcessorClient({ baseUrl: hub.baseUrl, token: 'feeder', retries: 0 });
  for (const recording of recordings)
    lastId = (await client.postRecording(recordingBody(recording))).video_id;
});

describe('a hub below /birds', () => {
  it('routes, answer below it only', async () => {
    expect(hub.baseUrl).toBe(`${origin}/birds`);
    const paths = [
      '/api/ui/health',
      '/api/ui/timeline?date=2025-05-12',
      '/openapi.yaml',
      '/docs',
      '/birdsapi/ui/health',
    ];
    for (const path of paths) expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 404]);
    expect(await readJson(`${hub.baseUrl}/api/ui/health`)).toEqual({ status: 'ok' });
    const contract = await fetch(`${hub.baseUrl}/openapi.yaml`);
    expect(await contract.text()).toContain('\nservers:\n  - url: /birds\n');
    expect(await (await fetch(`${hub.baseUrl}/docs`)).text()).toContain('<base href="/birds/" />');
  });

  it('a page of the timeline, links to the next one below it', async () => {
    const first = `${hub.baseUrl}/api/ui/timeline?date=${postedDate}&limit=1`;
    const answer = await fetch(first);
    expect(answer.headers.get('link')).toMatch(/^<\/birds\/api\/ui\/timeline\?/);
    const [newest] = (await answer.json()) as TimelineItem[];
    const [next] = await readJson<TimelineItem[]>(nextUrl(answer, first) ?? '');
    expect(next?.id).not.toBe(newest?.id);
    expect(Date.parse(next?.start_time ?? '')).toBeLessThanOrEqual(Date.parse(newest?.start_time ?? ''));
  });

  it('a video, is found where its recording says', async () => {
    const video = await readJson<VideoAnswer>(`${hub.baseUrl}/api/ui/videos/${lastId}`);
    expect(video.media).toBe('ready');
    expect(video.video_url).toMatch(/^\/birds\//);
    const bytes = Buffer.from(await (await fetch(new URL(video.video_url, origin))).arrayBuffer());
    expect(
      bytes.equals(readFileSync(join(hub.recordingsDir, video.video_path.replace('data/recordings/', '')))),
    ).toBe(true);
  });

  it('the page of unknowns, leads to the review below it', async () => {
    const answer = await fetch(`${hub.baseUrl}/unknowns`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/birds/timeline?review=1']);
  });

  it('a post without the token of the processor, is 403', async () => {
    const client = createProcessorClient({ baseUrl: hub.baseUrl, retries: 0 });
    const [recording] = recordings;
    if (recording === undefined) throw new Error('the day is empty');
    const refused = client.postRecording(recordingBody(recording));
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  });
});
