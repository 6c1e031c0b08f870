import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '@birdhub/shared/db';
import { createSettingsReader, type SettingsReader } from '@birdhub/shared/settings';
import { createSpeciesDirectory } from '@birdhub/shared/species';
import { createTestDatabase, type TestDatabase } from '@birdhub/shared/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepVisitsAligned } from './align-visits.js';

const log = pino({ level: 'silent' });

describe('keepVisitsAligned', () => {
  let database: TestDatabase;
  let settings: SettingsReader;
  let stop: () => void;
  let rung: Change[];
  beforeEach(async () => {
    rung = [];
    const ring = (change: Change) => `a:${rung.push(change)}`;
    database = await createTestDatabase();
    const { pool } = database;
    settings = createSettingsReader({ pool, timezone: 'UTC', log });
    stop = keepVisitsAligned({
      pool,
      directory: createSpeciesDirectory(pool),
      settings,
      bell: { ring },
      log,
    });
  });
  afterEach(async () => {
    stop();
    settings.close();
    await database.drop();
  });

  async function change(value: object): Promise<void> {
    await database.pool.query(`UPDATE setting SET value = $1, version = version + 1 WHERE key = 'hub'`, [
      value,
    ]);
    settings.forget();
  }
  const rule = async () =>
    (await database.pool.query('SELECT gap_ms, timezone FROM visit_rule')).rows[0] as unknown;
  const becomes = (gapMs: number, timezone: string) =>
    vi.waitFor(async () => expect(await rule()).toEqual({ gap_ms: gapMs, timezone }), 5_000);

  it('a gap or zone that changes while it runs, becomes the rule of the visits and everybody is told', async () => {
    await change({ visits: { gap_seconds: 0.5 } });
    await becomes(500, 'UTC');
    await change({ visits: { gap_seconds: 90 }, general: { timezone: 'Asia/Tehran' } });
    await becomes(90_000, 'Asia/Tehran');
    await vi.waitFor(() => expect(rung).toEqual([{ kind: 'everything' }, { kind: 'everything' }]));
  });

  it('another setting that changes, makes nothing anew', async () => {
    await change({ mqtt: { port: 5 } });
    await change({ visits: { gap_seconds: 7 } });
    await becomes(7_000, 'UTC');
    await vi.waitFor(() => expect(rung).toHaveLength(1));
  });

  it('two changes in a row, end with the last', async () => {
    await change({ visits: { gap_seconds: 5 } });
    await change({ visits: { gap_seconds: 6 } });
    await becomes(6_000, 'UTC');
  });

  it('changes after it has ended, are left to the next start', async () => {
    await change({ visits: { gap_seconds: 5 } });
    await becomes(5_000, 'UTC');
    stop();
    await change({ visits: { gap_seconds: 6 } });
    await settings.current();
    await pause(200);
    expect(await rule()).toEqual({ gap_ms: 5_000, timezone: 'UTC' });
  });
});
