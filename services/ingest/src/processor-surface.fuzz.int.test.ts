import { readExpectedState, readStoredState } from '@birdhub/shared/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyRequest } from './testing/arbitrary-bodies.js';
import { createTestIngest, type TestIngest } from './testing/create-test-ingest.js';

let hub: TestIngest;
const statuses = new Set<number>();
beforeAll(async () => {
  hub = await createTestIngest();
});
afterAll(() => hub.close());

it('processor surface, whatever is posted, answers with success or a reason and never with 500', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ method, path, text }) => {
      const { status, body } = await hub.send(method, path, text);
      statuses.add(status);
      expect([200, 201, 400, 404, 413]).toContain(status);
      if (status === 400) expect(body.details.length).toBeGreaterThan(0);
    }),
    { numRuns: 400 },
  );
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400]));
  expect(await readStoredState(hub.database.pool)).toEqual(await readExpectedState(hub.database.pool));
});
