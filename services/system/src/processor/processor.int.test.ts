import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { type Bus, BusUnavailableError } from '@birdhub/shared/bus';
import { createMetrics } from '@birdhub/shared/metrics';
import { systemClock } from '@birdhub/shared/time';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { processorRoutes } from './processor.routes.js';
import { createRestartFlag, type ProcessorRestarts, startProcessorRestarts } from './processor-restarts.js';

const log = pino({ level: 'silent' });
const soon = { interval: 5 };

describe('POST /restart-processor', () => {
  let database: TestDatabase;
  let folder: string;
  let flag: string;
  let sent: { subject: string; payload: unknown }[];
  let app: HubApp;
  let restarts: ProcessorRestarts;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE processor_command');
    folder = mkdtempSync(join(tmpdir(), 'hub-flag-'));
    flag = join(folder, 'restart_processor.flag');
    sent = [];
    open();
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  afterAll(() => database.drop());

  const record: Bus['sendCommand'] = async (subject, payload) => void sent.push({ subject, payload });
  function open(sendCommand = record): void {
    restarts = startProcessorRestarts({
      ...database,
      clock: systemClock,
      bus: { sendCommand },
      flag: createRestartFlag(folder),
      log,
      pollIntervalMs: 10,
    });
    app = createApp({ log, metrics: createMetrics('system') });
    processorRoutes(app, { restarts });
  }
  async function close(): Promise<void> {
    await app.close();
    await restarts.close();
  }
  const post = () => app.inject({ method: 'POST', url: '/api/ui/restart-processor' });
  const acknowledge = () => database.pool.query('UPDATE processor_command SET acked_at = now()');
  const isGone = () => vi.waitFor(() => expect(existsSync(flag)).toBe(false), soon);

  it('for any processor, requests the restart by row, command and file', async () => {
    const response = await post();
    const { message, command_id } = response.json();
    expect([response.statusCode, typeof message]).toEqual([200, 'string']);
    const { rows } = await database.pool.query(
      `SELECT id, type, acked_at, extract(epoch FROM expires_at - created_at) AS seconds FROM processor_command`,
    );
    expect(rows).toEqual([{ id: command_id, type: 'restart', acked_at: null, seconds: 600 }]);
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(2), soon);
    expect(sent[0]).toMatchObject({
      subject: 'hub.cmd.v1.processor.restart',
      payload: { command_id, requested_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect(readFileSync(flag, 'utf8')).toBe(`${command_id}\n`);
    expect(readdirSync(folder)).toEqual(['restart_processor.flag']);
  });

  it('when acknowledged, is not sent again and its file is deleted', async () => {
    await post();
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), soon);
    await acknowledge();
    await isGone();
    const count = sent.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent.length).toBe(count);
  });

  it('when not acknowledged in ten minutes, is given up and its file deleted', async () => {
    await post();
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), soon);
    await database.pool.query('UPDATE processor_command SET expires_at = now()');
    await isGone();
  });

  it('ten times at once, is one command, and another one after the acknowledgement', async () => {
    const ids = (await Promise.all(Array.from({ length: 10 }, post))).map(
      (response) => response.json().command_id,
    );
    expect(new Set(ids).size).toBe(1);
    await acknowledge();
    expect((await post()).json().command_id).not.toBe(ids[0]);
  });

  it('whose file the processor deleted, does not create it again', async () => {
    await post();
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), soon);
    rmSync(flag);
    const count = sent.length;
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(count + 1), soon);
    expect(existsSync(flag)).toBe(false);
  });

  it('when the hub restarts, is resumed if pending, and an old file is deleted', async () => {
    await post();
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0), soon);
    await close();
    sent = [];
    open();
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0), soon);
    await close();
    await acknowledge();
    writeFileSync(flag, '1');
    open();
    await isGone();
  });

  it('when the hub stops before it writes the file, is written by the next start', async () => {
    await close();
    await database.pool.query(
      `INSERT INTO processor_command (type, expires_at) VALUES ('restart', now() + interval '10 minutes')`,
    );
    open();
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), soon);
  });

  it('without the broker, is accepted and stored, and sent when it is back', async () => {
    await close();
    let isAway = true;
    const sendCommand: Bus['sendCommand'] = async (...command) => {
      if (isAway) throw new BusUnavailableError('away');
      await record(...command);
    };
    open(sendCommand);
    expect((await post()).statusCode).toBe(200);
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), soon);
    isAway = false;
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0), soon);
  });

  it('without a folder for the file, creates none', async () => {
    const none = createRestartFlag(undefined);
    await none.raise(1);
    await none.lower();
    expect(readdirSync(folder)).toEqual([]);
  });
});
