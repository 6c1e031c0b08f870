import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type FeederFixture,
  feederTopic,
  reconnectWait,
  setUpFeeder,
} from '../testing/create-test-feeder.js';

const now = Date.UTC(2026, 4, 1, 12);

describe('a feeder that may be open', () => {
  let database: TestDatabase;
  let fixture: FeederFixture;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    fixture = await setUpFeeder(database, now);
  });
  afterEach(() => fixture.close());
  afterAll(() => database.drop());

  it('of a killed service, is closed by the next that starts', async () => {
    await database.pool.query('INSERT INTO open_feeder (device) VALUES ($1), ($1), ($2)', [
      { kind: 'mqtt', topic: feederTopic },
      { kind: 'mqtt', topic: 'cmnd/old/Power' },
    ]);
    await fixture.connect();
    await fixture.waitForMessages(['OFF']);
    expect(fixture.messages('cmnd/old/Power')).toEqual(['OFF']);
    await vi.waitFor(async () => expect(await fixture.openRows()).toEqual([]), reconnectWait);
  });

  it('of another running service, is left to it', async () => {
    await fixture.configure({ duration_seconds: 1.5 });
    const response = fixture.hub.post();
    await fixture.waitForMessages(['ON']);
    await fixture.connect();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(fixture.messages()).toEqual(['ON']);
    await response;
    await fixture.waitForMessages(['ON', 'OFF']);
  });

  it('whose lock is lost with its database connection, is closed all the same', async () => {
    await fixture.configure({ duration_seconds: 1 });
    const response = fixture.hub.post();
    await fixture.waitForMessages(['ON']);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`,
    );
    await response;
    await vi.waitFor(() => expect(fixture.messages().at(-1)).toBe('OFF'), reconnectWait);
    await vi.waitFor(async () => expect(await fixture.openRows()).toEqual([]), reconnectWait);
  });
});
