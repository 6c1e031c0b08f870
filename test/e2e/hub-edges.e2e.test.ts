import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { TestHub } from '@birdhub/testing/hub';
import {
  createProcessorClient,
  type ProcessorClient,
} from '@birdhub/testing/processor-client/processor-client';
import type { RecordingBody } from '@birdhub/testing/processor-client/processor-wire';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type EventLog, openEventLog } from './fixtures/event-log.js';
import {
  type ErrorResponse,
  readJson,
  recordingIdsOf,
  type TimelineItem,
  type VideoResponse,
} from './fixtures/hub-responses.js';
import { steadyRecording } from './fixtures/steady-posting.js';
import { startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder();
const services = ['gateway', 'ingest', 'query', 'reports', 'system'];
let hub: TestHub;
let client: ProcessorClient;
let log: EventLog;

beforeAll(async () => {
  hub = await startHubIn(folder);
  client = createProcessorClient({ baseUrl: hub.baseUrl, retries: 0 });
  log = await openEventLog(hub.natsUrl);
  return () => log.close();
});

const url = (path: string) => `${hub.baseUrl}${path}`;

/** Returns an address on the ops port of a service, which the launcher knows by `/readyz`. */
const opsUrl = (name: string, path: string) =>
  new URL(path, hub.processOf(name).readyUrls[0] ?? 'http://unknown.invalid').href;

describe('a hub of five processes', () => {
  it('once it is ready, reports this for the whole and for each part', async () => {
    expect(await readJson(url('/api/ui/health'))).toEqual({ status: 'ok' });
    expect(await readJson(url('/api/ui/readiness'))).toEqual({
      status: 'ok',
      checks: { database: 'ok', broker: 'ok', ingest: 'ok', query: 'ok', reports: 'ok', system: 'ok' },
    });
    const names = hub.processes().map(({ name }) => name);
    expect(names.sort()).toEqual([...services, 'nats', 'postgres'].sort());
    const pids = hub.processes().map(({ process }) => process?.pid);
    expect(new Set(pids).size).toBe(7);
  });

  it.each(services)('on the ops port of %s, serves liveness, readiness and metrics', async (name) => {
    expect(await readJson(opsUrl(name, '/livez'))).toEqual({ status: 'ok' });
    expect(await readJson(opsUrl(name, '/readyz'))).toEqual({ missing: [] });
    const metrics = await fetch(opsUrl(name, '/metrics'));
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await metrics.text()).toMatch(
      new RegExp(`^process_cpu_seconds_total\\{service="${name}"\\} `, 'm'),
    );
  });

  it('after a request, counts it by operation in the service that handled it', async () => {
    await readJson(url('/api/ui/cameras'));
    const metrics = await (await fetch(opsUrl('query', '/metrics'))).text();
    const counted = /^hub_http_request_duration_seconds_count\{.*operation="(\w+)".*status="200"/gm;
    expect([...metrics.matchAll(counted)].map((match) => match[1])).toContain('listCameras');
  });

  it('for a request that bypasses the gateway, requires the secret', async () => {
    const { socket } = hub.processOf('query');
    const asked = get({ socketPath: socket, path: '/api/ui/cameras' });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const body: ErrorResponse = JSON.parse(Buffer.concat(await response.toArray()).toString());
    expect([response.statusCode, body.code]).toEqual([403, 'forbidden']);
  });

  it('for an unknown route, returns 404 with the body of errors and the request id', async () => {
    const response = await fetch(url('/api/ui/no-such-thing'), { headers: { 'x-request-id': 'e2e-1' } });
    const body = (await response.json()) as ErrorResponse;
    expect(response.status).toBe(404);
    expect(body).toEqual({ error: expect.any(String), code: 'route_not_found', request_id: 'e2e-1' });
    expect(response.headers.get('x-request-id')).toBe('e2e-1');
  });

  it('after a change of settings, applies it to the very next request in every service', async () => {
    const patch = async (settings: object) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(settings);
      expect((await fetch(url('/api/ui/settings'), { method: 'PATCH', headers, body })).status).toBe(200);
    };
    for (const timezone of ['Asia/Kathmandu', 'America/New_York', 'Pacific/Kiritimati', 'UTC']) {
      await patch({ general: { timezone } });
      expect(await readJson(url('/api/ui/overview'))).toMatchObject({ observer_timezone: timezone });
    }
    for (const [index, bar] of [1, 0.05, 1, 0.05].entries()) {
      await patch({ detection: { min_confidence_to_store: bar } });
      const recording = steadyRecording({ name: 'bar', index, start: Date.parse('2025-06-20T00:00:00Z') });
      expect(await client.postRecording(recording)).toMatchObject({ dropped: bar === 1 ? 2 : 0 });
    }
  });

  it('for a window without its end, returns 400 with the parameter', async () => {
    const response = await fetch(url('/api/ui/timeline?start_time=1'));
    const { code, details } = (await response.json()) as ErrorResponse;
    expect([response.status, code, details?.[0]?.path]).toEqual([400, 'invalid_request', 'end_time']);
  });

  it('for the page of unknowns, redirects to the review with all parameters', async () => {
    const response = await fetch(url('/unknowns?date=2025-05-12&limit=5'), { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/timeline?review=1&date=2025-05-12&limit=5');
  });
});

describe('a post', () => {
  it('read back through the gateway a hundred times, is never missed despite the cache', async () => {
    const day = url('/api/ui/timeline?date=2025-07-01');
    for (let count = 1; count <= 100; count += 1) {
      const start = Date.parse('2025-07-01T00:00:00Z') + count * 600_000;
      const { video_id } = await client.postRecording(steadyRecording({ name: 'read', index: count, start }));
      const items = await readJson<TimelineItem[]>(day);
      const seen = recordingIdsOf(items);
      expect([seen.size, seen.has(video_id)]).toEqual([count, true]);
    }
  });

  it('sent on two connections at once, creates one recording', async () => {
    const firstAt = Date.parse('2025-07-10T00:00:00Z');
    const bodies = Array.from({ length: 20 }, (_, index) =>
      steadyRecording({ name: 'twice', index, start: firstAt + index * 600_000 }),
    );
    for (const body of bodies) {
      const responses = await Promise.all([client.postRecording(body), client.postRecording(body)]);
      expect(responses.map(({ created }) => created).sort()).toEqual([false, true]);
      expect(responses[0].video_id).toBe(responses[1].video_id);
    }
    const items = await readJson<TimelineItem[]>(url('/api/ui/timeline?date=2025-07-10'));
    expect(recordingIdsOf(items).size).toBe(20);
    const detections = items.flatMap((item) => item.detections);
    expect(detections).toHaveLength(bodies.flatMap(({ species }) => species).length);
  });

  it('with other content, replaces the recording and is published in order', async () => {
    const start = Date.parse('2025-07-12T08:00:00Z');
    const first = steadyRecording({ name: 'changed', index: 0, start });
    const created = await client.postRecording(first);
    const [row] = first.species;
    if (row === undefined) throw new Error('the recording has no detection');
    const second: RecordingBody = { ...first, species: [{ ...row, species_name: 'Hawfinch' }, row] };
    const changed = await client.postRecording(second);
    expect(changed).toMatchObject({ video_id: created.video_id, created: false, detections: 2 });
    const video = await readJson<VideoResponse>(url(`/api/ui/videos/${created.video_id}`));
    expect(video.species.map(({ species_name }) => species_name)).toContain('Hawfinch');
    const upserts = () =>
      log.of('hub.v1.recording.upserted').filter(({ video_id }) => video_id === created.video_id);
    await vi.waitUntil(() => upserts().length >= 2);
    expect(upserts().map((event) => [event.created, event.detections])).toEqual([
      [true, first.species.length],
      [false, 2],
    ]);
  });

  it('with an invalid value, returns 400 with its path and stores nothing', async () => {
    const start = Date.parse('2025-07-13T08:00:00Z');
    const body = steadyRecording({ name: 'wrong', index: 0, start });
    const species = [...body.species, { ...body.species[0], confidence: 1.5 }];
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url('/api/processor/videos'), {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ ...body, species }),
    });
    expect(response.status).toBe(400);
    const { details } = (await response.json()) as ErrorResponse;
    expect(details?.map(({ path }) => path)).toEqual([`/species/${body.species.length}/confidence`]);
    expect(await readJson(url('/api/ui/timeline?date=2025-07-13'))).toEqual([]);
  });
});

describe('other calls of a processor', () => {
  it('with active species, heartbeats and notices, are accepted and published on the stream', async () => {
    const { active_feeder_names } = await client.putActiveSpecies(['Great Tit', 'Hawfinch']);
    expect(active_feeder_names).toEqual(['Great Tit', 'Hawfinch']);
    expect(await client.heartbeat({ mqtt_connected: true })).toEqual([]);
    await client.notifyMotion();
    await client.notifyDetection({ detection: 'Hawfinch' });
    await vi.waitUntil(
      () =>
        log.of('hub.v1.species.activated').some(({ active_names }) => active_names === 2) &&
        log.of('hub.v1.processor.reported').some(({ type }) => type === 'heartbeat') &&
        log.of('hub.v1.motion.notified').length === 1 &&
        log.of('hub.v1.detection.notified').some(({ species_name }) => species_name === 'Hawfinch'),
    );
    const species = await readJson<{ name: string; active: boolean }[]>(url('/api/ui/species'));
    const active = species.filter((one) => one.active).map(({ name }) => name);
    expect(active).toEqual(['Great Tit', 'Hawfinch']);
  });
});
