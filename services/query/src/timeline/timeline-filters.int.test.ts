import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { between, getTimeline, hour, second, speciesIdOf, start } from '../testing/timeline.js';

describe('the filters of GET /timeline', () => {
  let query: TestQuery;
  const from = 40 * hour;
  const window = between(from, from + 5 * hour);
  const kinds = async (parameters: string) => {
    const { body } = await getTimeline(query, `${window}&${parameters}`);
    return body.map((item: { id: number; species: { name: string } | null; detections: object[] }) =>
      item.species ? `${item.species.name} ${item.detections.length}` : 'Bird 0',
    );
  };

  beforeAll(async () => {
    query = await createTestQuery();
    const robin = (given: object) => aDetection({ speciesName: 'European Robin', ...given });
    await query.post(
      aRecording({
        start: start + from,
        cameraId: 'garden',
        detections: [robin({ confidence: 0.4 }), robin({ confidence: 0.9, source: 'audio' })],
      }),
    );
    const liked = await query.post(
      aRecording({
        start: start + from + 20 * second,
        cameraId: 'nest',
        detections: [robin({ confidence: 0.5 })],
      }),
    );
    await query.post(aRecording({ start: start + from + 2 * hour, cameraId: 'garden' }));
    const empty = aRecording({ start: start + from + 3 * hour, cameraId: 'nest', detections: [] });
    await query.post(empty);
    await query.database.pool.query('UPDATE video SET favorite = true WHERE id = $1', [liked.videoId]);
    await query.ring({ kind: 'recordings', from: start + from, to: start + from + 5 * hour });
  });
  afterAll(() => query.close());

  it.each([
    ['camera_id=nest', ['Bird 0', 'European Robin 3']],
    ['camera_id=garden', ['Great Tit 1', 'European Robin 3']],
    ['camera_id=none-such', []],
    ['min_confidence=0.9', ['Great Tit 1', 'European Robin 3']],
    ['min_confidence=0.91', []],
    ['source=audio', ['European Robin 3']],
    ['source=video', ['Great Tit 1', 'European Robin 3']],
    ['favorite=true', ['European Robin 3']],
    ['favorite=false', ['Bird 0', 'Great Tit 1', 'European Robin 3']],
    ['favorite=false&camera_id=nest', ['Bird 0']],
    ['camera_id=nest&source=audio', []],
    ['camera_id=garden&min_confidence=0.9&source=video', ['Great Tit 1']],
    ['', ['Bird 0', 'Great Tit 1', 'European Robin 3']],
  ])('%s, lets in %j with all their detections', async (parameters, expected) => {
    expect(await kinds(parameters)).toEqual(expected);
  });

  it('a species, lets in its visits and no unlinked recordings', async () => {
    expect(await kinds(`species_id=${await speciesIdOf(query, 'European Robin')}`)).toEqual([
      'European Robin 3',
    ]);
  });
});
