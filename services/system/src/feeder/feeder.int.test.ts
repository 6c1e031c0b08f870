import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FeederStand, feederTopic, setUpFeeder, soon } from '../testing/create-test-feeder.js';

const now = Date.UTC(2026, 4, 1, 12);

describe('a feeder that may be open', () => {
  let database: TestDatabase;
  let stand: FeederStand;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    stand = await setUpFeeder(database, now);
  });
  afterEach(() => stand.close());
  afterAll(() => database.drop());

  it('of a killed service, is closed by the next that starts', async () => {
    await database.pool.query('INSERT INTO open_feeder (device) VALUES ($1), ($1), ($2)', [
      { kind: 'mqtt', topic: feederTopic },
      { kind: 'mqtt', topic: 'cmnd/old/Power' },
    ]);
    await stand.connect();
    await stand.waitForMessages(['OFF']);
    expect(stand.messages('cmnd/old/Power')).toEqual(['OFF']);
    await vi.waitFor(async () => expect(await stand.openRows()).toEqual([]), soon);
  });

  it('of another running service, is left to it', async () => {
    await stand.configure({ duration_seconds: 1.5 });
    const response = stand.hub.post();
    await stand.waitForMessages(['ON']);
    await stand.connect();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(stand.messages()).toEqual(['ON']);
    await response;
    await stand.waitForMessages(['ON', 'OFF']);
  });

  it('whose lock is lost with its database connection, is closed all the same', async () => {
    await stand.configure({ duration_seconds: 1 });
    const response = stand.hub.post();
    await stand.waitForMessages(['ON']);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`,
    );
    await response;
    await vi.waitFor(() => expect(stand.messages().at(-1)).toBe('OFF'), soon);
    await vi.waitFor(async () => expect(await stand.openRows()).toEqual([]), soon);
  });
});
