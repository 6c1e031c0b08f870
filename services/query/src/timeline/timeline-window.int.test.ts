import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { between, getTimeline, hour, minute, second, speciesIdOf, start } from '../testing/timeline.js';

describe('the window of GET /timeline', () => {
  let query: TestQuery;
  const from = 10 * hour;
  let visitId: number | undefined;
  let unlinkedId: number;

  beforeAll(async () => {
    query = await createTestQuery();
    for (let step = 0; step < 10; step += 1) {
      const posted = await query.post(
        aRecording({
          start: start + from + step * minute,
          end: start + from + step * minute + 50 * second,
          detections: [aDetection({ speciesName: 'Eurasian Wren', startOffset: 0, endOffset: 50 })],
        }),
      );
      visitId = posted.visitIds[0];
    }
    const unlinked = { start: start + from, end: start + from + 23 * hour, detections: [] };
    unlinkedId = -(await query.post(aRecording({ ...unlinked, videoPath: 'long.mp4' }))).videoId;
  });
  afterAll(() => query.close());

  const end = from + 9 * minute + 50 * second;
  it.each([
    ['starts when the visit ends', end, end + 1, true],
    ['starts a millisecond later', end + 1, end + 2, false],
    ['ends when the visit starts', from - hour, from, false],
    ['ends a millisecond later', from - hour, from + 1, true],
    ['lies within it', from + minute, from + minute + 1, true],
    ['holds it', from - hour, from + hour, true],
  ])('a window that %s, has it: %s %s %s', async (_, low, high, isIn) => {
    const { body } = await getTimeline(
      query,
      `${between(low, high)}&species_id=${await speciesIdOf(query, 'Eurasian Wren')}`,
    );
    expect(body.map((item: { id: number }) => item.id)).toEqual(isIn ? [visitId] : []);
  });

  it.each([
    [from + 23 * hour, true],
    [from + 23 * hour + 1, false],
    [from + 22 * hour, true],
  ])('an unlinked recording of 23 hours, window %d ms after, is in: %s', async (low, isIn) => {
    const { body } = await getTimeline(query, between(low, low + 1));
    expect(body.map((item: { id: number }) => item.id)).toEqual(isIn ? [unlinkedId] : []);
  });
});
