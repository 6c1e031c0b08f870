import {
  aDetection,
  aRecording,
  createTestDatabase,
  emptyTables,
  readExpectedState,
  readStoredState,
  type TestDatabase,
} from '@birdhub/testing';
import { anySteps, historySpecies, type Spread } from '@birdhub/testing/arbitrary-steps';
import { createHistory } from '@birdhub/testing/history';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const wide: Spread = {
  keys: 5,
  cameras: ['', 'north'],
  starts: 900,
  tracks: [null, null, '1', '2'],
  steps: 10,
};
/** The same few birds over and over. */
const narrow: Spread = { keys: 1, cameras: [''], starts: 30, tracks: [null, '1'], steps: 30 };

describe('recording writer', () => {
  let database: TestDatabase;
  let history: Awaited<ReturnType<typeof createHistory>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    // The reference reads all species after each history.
    await emptyTables(database.pool, ['species']);
    history = await createHistory(database.pool);
  });
  afterAll(() => database.drop());

  async function expectTheRules(): Promise<void> {
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
    expect(await history.listVerdicts()).toMatchObject(history.expectedVerdicts());
  }

  it.each([
    ['wide', wide, 250],
    ['narrow', narrow, 80],
  ])(
    'random posts, reviews, reversions, deletions and gap changes, %s spread, result in the visits of the rule',
    async (_, spread, numRuns) => {
      const property = fc.asyncProperty(anySteps(spread), async (steps) => {
        await history.clear();
        await history.run(steps);
        await expectTheRules();
      });
      await fc.assert(property, { numRuns });
    },
    300_000,
  );

  it('concurrent posts of one species from many connections, result in the visits of the rule', async () => {
    await history.clear();
    const posts = Array.from({ length: 60 }, (_, index) => {
      const start = Date.UTC(2026, 4, 1, 23, 50) + ((index * 37) % 60) * 20_000;
      const names = [historySpecies[index % historySpecies.length] ?? '', 'Parent'];
      const detections = names.map((speciesName, at) =>
        aDetection({ speciesName, source: at ? 'audio' : 'video', endOffset: 5 }),
      );
      return aRecording({ start, end: start + 10_000, videoPath: `${index}.mp4`, detections });
    });
    await Promise.all([...posts, ...posts].map((recording) => history.writer.post(recording, 'test')));
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });
});
