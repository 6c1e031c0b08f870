import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { between, getTimeline, hour, minute, start } from '../testing/timeline.js';

describe('the pages of GET /timeline', () => {
  let query: TestQuery;
  const from = 60 * hour;
  const window = between(from, from + hour);
  const names = ['European Robin', 'Great Tit', 'Eurasian Wren', 'Eurasian Blackbird', 'House Sparrow'];

  beforeAll(async () => {
    query = await createTestQuery();
    const detections = names.map((speciesName) => aDetection({ speciesName }));
    await query.post(aRecording({ start: start + from, detections }));
    await query.post(aRecording({ start: start + from, videoPath: 'twin.mp4', detections: [] }));
    await query.post(aRecording({ start: start + from + 10 * minute, detections: detections.slice(0, 2) }));
  });
  afterAll(() => query.close());

  it.each([1, 2, 3, 7, 8, 100])('by %d, together are the whole list once', async (limit) => {
    const whole = (await getTimeline(query, window)).body;
    expect(whole).toHaveLength(8);
    const read: object[] = [];
    let next: string | undefined = `/api/ui/timeline?${window}&limit=${limit}`;
    while (next) {
      const page = await query.get(next);
      expect(page.body.length).toBeLessThanOrEqual(limit);
      read.push(...page.body);
      next = /^<(.+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1];
    }
    expect(read).toEqual(whole);
  });

  it('the list that ends with its limit, has no link', async () => {
    expect((await getTimeline(query, `${window}&limit=8`)).headers['link']).toBeUndefined();
    expect((await getTimeline(query, window)).headers['link']).toBeUndefined();
  });

  it('behind a prefix, the link starts with it and keeps the other parameters', async () => {
    const prefixed = { 'x-forwarded-prefix': '/birds' };
    const { headers } = await getTimeline(query, `${window}&limit=2&source=video`, prefixed);
    expect(headers['link']).toMatch(
      /^<\/birds\/api\/ui\/timeline\?start_time=.*&limit=2&source=video&cursor=/,
    );
  });
});
