import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from '@birdhub/gateway';
import { pathsIn } from '@birdhub/launcher/data-folder';
import type { RunningService } from '@birdhub/shared/app';
import type { TestHub } from '@birdhub/testing/hub';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder();
const password = 'blackbird';
const env = { ...inOneProcess, PROCESSOR_SECRET: 'correct horse', TRUSTED_PROXIES: '127.0.0.1' };
let hub: TestHub;
/** A second gateway in front of the services of the hub. */
let second: RunningService;
let database: pg.Client;
let cookie: string;

/** Starts a gateway beside that of the hub. */
function startSecondGateway(): Promise<RunningService> {
  const paths = pathsIn(join(folder.path, 'data'));
  const socketOf = (name: string) => `unix:${join(paths.sockets, `${name}.sock`)}`;
  return startGateway({
    DATABASE_URL: hub.databaseUrl,
    INGEST_URL: socketOf('ingest'),
    QUERY_URL: socketOf('query'),
    REPORTS_URL: socketOf('reports'),
    SYSTEM_URL: socketOf('system'),
    INTERNAL_SECRET: readFileSync(paths.internalSecret, 'utf8').trim(),
    LOG_LEVEL: 'silent',
  });
}

beforeAll(async () => {
  hub = await startHubIn(folder, env);
  second = await startSecondGateway();
  database = new pg.Client({ connectionString: hub.databaseUrl });
  await database.connect();
  const set = await send(hub.baseUrl, 'PATCH', '/api/ui/settings', {
    body: { general: { settings_password: password, require_auth_for_video_stream: true } },
  });
  expect(set.status).toBe(200);
  cookie = await unlock();
});
afterAll(async () => {
  await database?.end();
  await second?.close();
});

async function unlock(): Promise<string> {
  const response = await send(hub.baseUrl, 'POST', '/api/ui/settings/verify-password', {
    body: { password },
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(baseUrl: string, method: string, path: string, { body, headers }: Sent = {}) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body and fails when it is not what it expects
  const json: any = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, json };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function createToken(given: object, headers: Record<string, string> = { cookie }) {
  const { status, json } = await send(hub.baseUrl, 'POST', '/api/ui/tokens', { body: given, headers });
  expect([status, json]).toEqual([201, { id: expect.any(Number), token: expect.any(String) }]);
  return json as { id: number; token: string };
}

const revoke = (id: number, baseUrl = hub.baseUrl) =>
  send(baseUrl, 'DELETE', `/api/ui/tokens/${id}`, { headers: { cookie } });

let recordings = 0;
/** Returns a recording of ten seconds, an hour ago. */
function createRecording(camera_id: string | undefined) {
  recordings += 1;
  const start = Date.now() - 3_600_000;
  const row = { species_name: 'Great Tit', confidence: 0.9, start_time: 0, end_time: 2, source: 'video' };
  return {
    processor_version: '1.0',
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 10_000).toISOString(),
    video_path: `tokens/${recordings}/video.mp4`,
    species: [row],
    ...(camera_id !== undefined && { camera_id }),
  };
}

const post = (baseUrl: string, camera: string | undefined, headers: Record<string, string>) =>
  send(baseUrl, 'POST', '/api/processor/videos', { body: createRecording(camera), headers });

describe('a token for a processor', () => {
  it('in either header and at both gateways, posts like PROCESSOR_SECRET', async () => {
    const { token } = await createToken({ name: 'Detector', scopes: ['processor'] });
    for (const url of [hub.baseUrl, second.url]) {
      expect((await post(url, 'garden', bearer(token))).status).toBe(201);
      expect((await post(url, 'garden', { 'x-processor-token': token })).status).toBe(201);
      expect((await post(url, 'garden', { 'x-processor-token': env.PROCESSOR_SECRET })).status).toBe(201);
      expect((await post(url, 'garden', {})).status).toBe(403);
    }
    expect((await send(hub.baseUrl, 'GET', '/api/ui/settings', { headers: bearer(token) })).json.code).toBe(
      'insufficient_scope',
    );
  });

  it('with cameras, posts only for these', async () => {
    const { token } = await createToken({ name: 'Pond', scopes: ['processor'], cameras: ['pond'] });
    expect((await post(hub.baseUrl, 'pond', bearer(token))).status).toBe(201);
    for (const camera of ['garden', undefined]) {
      const { status, json } = await post(hub.baseUrl, camera, bearer(token));
      expect([status, json.code, json.details[0].path]).toEqual([403, 'camera_not_allowed', '/camera_id']);
    }
  });

  it('used to post to the activity log, is named in the row', async () => {
    const { token } = await createToken({ name: 'Logger ✓', scopes: ['processor'] });
    const { json } = await send(hub.baseUrl, 'POST', '/api/processor/activity_log', {
      body: { type: 'log', data: { lines: ['a'] } },
      headers: bearer(token),
    });
    const { rows } = await database.query('SELECT token_name FROM processor_activity WHERE id = $1', [
      json.id,
    ]);
    expect(rows).toEqual([{ token_name: 'Logger ✓' }]);
  });
});

describe('a token', () => {
  it('for reading, sees recordings that others must unlock, and changes nothing', async () => {
    const { token } = await createToken({ name: 'Display', scopes: ['read'] });
    const { json } = await post(hub.baseUrl, 'garden', { 'x-processor-token': env.PROCESSOR_SECRET });
    const at = (path: string) => `/api/ui/videos/${json.video_id}${path}`;
    const stream = async (headers = {}) =>
      (await send(hub.baseUrl, 'GET', at('/stream'), { headers })).json?.code;
    expect(await stream()).toBe('unlock_required');
    // Admitted, although the video file has not arrived.
    expect(await stream(bearer(token))).toBe('media_pending');
    expect((await send(hub.baseUrl, 'DELETE', at(''), { headers: bearer(token) })).json.code).toBe(
      'insufficient_scope',
    );
  });

  it('for review, deletes a recording and is named in the activity log', async () => {
    const { token } = await createToken({ name: 'Reviewer', scopes: ['review'] });
    const { json } = await post(hub.baseUrl, 'garden', { 'x-processor-token': env.PROCESSOR_SECRET });
    const removed = await send(hub.baseUrl, 'DELETE', `/api/ui/videos/${json.video_id}`, {
      headers: bearer(token),
    });
    expect(removed.status).toBe(200);
    const { rows } = await database.query(
      `SELECT data ->> 'by' AS by, data ->> 'token' AS token FROM activity_log WHERE type = 'recording_removed'`,
    );
    expect(rows).toEqual([{ by: 'contributor', token: 'Reviewer' }]);
  });

  it('for everything, changes settings and makes tokens, and is named in the activity log', async () => {
    const { token } = await createToken({ name: 'Manager', scopes: ['admin'] });
    const body = { general: { app_name: 'Tokens' } };
    expect(
      (await send(second.url, 'PATCH', '/api/ui/settings', { body, headers: bearer(token) })).status,
    ).toBe(200);
    await createToken({ name: 'Made by a token', scopes: ['feeder'] }, bearer(token));
    const { rows } = await database.query(
      `SELECT type, data ->> 'operation' AS operation FROM activity_log WHERE data ->> 'token' = 'Manager'
       ORDER BY type, operation`,
    );
    expect(rows).toEqual([
      { type: 'settings_change', operation: null },
      { type: 'token_created', operation: null },
      { type: 'token_used', operation: 'PATCH /api/ui/settings' },
      { type: 'token_used', operation: 'POST /api/ui/tokens' },
    ]);
  });

  it('when revoked at one gateway, is refused by both from then on', async () => {
    for (const [at, other] of [
      [hub.baseUrl, second.url],
      [second.url, hub.baseUrl],
    ] as const) {
      const { id, token } = await createToken({ name: `Short ${at}`, scopes: ['processor'] });
      for (const url of [at, other, at, other]) {
        expect((await post(url, 'garden', bearer(token))).status).toBe(201);
      }
      expect((await revoke(id, at)).status).toBe(200);
      for (const url of [other, at]) {
        const { status, json } = await post(url, 'garden', bearer(token));
        expect([status, json.code]).toEqual([401, 'invalid_token']);
      }
    }
  });

  it('when expired, is refused by both', async () => {
    const { id, token } = await createToken({
      name: 'Yesterday',
      scopes: ['read'],
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await database.query(`UPDATE access_token SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
      id,
    ]);
    for (const url of [hub.baseUrl, second.url]) {
      // The gateway limits wrong tokens per client.
      const headers = { ...bearer(token), 'x-forwarded-for': '198.51.100.9' };
      const { status } = await send(url, 'GET', '/api/ui/timeline', { headers });
      expect(status).toBe(401);
    }
  });

  it('after another password and a restart, still works and is in no log', async () => {
    const { token } = await createToken({ name: 'Kept', scopes: ['admin'] });
    const clear = { general: { settings_password: 'another' } };
    expect(
      (await send(hub.baseUrl, 'PATCH', '/api/ui/settings', { body: clear, headers: { cookie } })).status,
    ).toBe(200);
    await database.end();
    await second.close();
    await hub.stop();
    expect(hub.output()).not.toContain('birdhub_');
    hub = await startHubIn(folder, { ...env, LOG_LEVEL: 'trace' });
    const { status, json } = await send(hub.baseUrl, 'GET', '/api/ui/tokens', { headers: bearer(token) });
    expect(status).toBe(200);
    const kept = json.find(({ name }: { name: string }) => name === 'Kept');
    expect(kept).toMatchObject({ scopes: ['admin'], cameras: null, expires_at: null });
    expect(JSON.stringify(json)).not.toContain('birdhub_');
    expect(hub.output()).not.toContain(token);
  });
});
