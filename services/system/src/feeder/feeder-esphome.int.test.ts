import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase, storeSettings, type TestDatabase } from '@birdhub/testing';
import { type ManualClock, manualClock } from '@birdhub/testing/clocks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestFeeder, type TestFeeder } from '../testing/create-test-feeder.js';

const soon = { interval: 20 };

describe('POST /feed/dispense, by ESPHome', () => {
  let database: TestDatabase;
  let device: Server;
  let asked: string[];
  let answer: RequestListener;
  let clock: ManualClock;
  let hub: TestFeeder;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE activity_log, open_feeder');
    asked = [];
    answer = (_request, response) => void response.end();
    device = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(device, 'listening');
    await configure();
    clock = manualClock(0);
    hub = createTestFeeder(database, clock);
  });
  afterEach(async () => {
    await hub.close();
    device.close();
    device.closeAllConnections();
  });
  afterAll(() => database.drop());

  const address = () => `127.0.0.1:${(device.address() as AddressInfo).port}`;
  const configure = (feed: object = {}) =>
    storeSettings(database.pool, {
      feed: { source: 'esphome', esphome_url: `http://${address()}/`, duration_seconds: 0.1, ...feed },
    });
  const openRows = async () => (await database.pool.query('SELECT FROM open_feeder')).rowCount;

  it('a switch, is turned on and off', async () => {
    expect((await hub.post()).status).toBe(200);
    expect(asked).toEqual(['POST /switch/bird_feeder/turn_on', 'POST /switch/bird_feeder/turn_off']);
    expect(await openRows()).toBe(0);
  });

  it('a switch with a login, is closed with it, also later, and is recorded without it', async () => {
    const esphome_url = `http://me:hunter2@${address()}`;
    await configure({ esphome_url });
    hub.settings.forget();
    let isBroken = true;
    const logins: unknown[] = [];
    answer = ({ url, headers }, response) => {
      logins.push(headers.authorization);
      response.writeHead(isBroken && url?.endsWith('turn_off') ? 500 : 200).end();
    };
    expect((await hub.post()).status).toBe(502);
    const { rows } = await database.pool.query('SELECT device FROM open_feeder');
    expect(rows).toEqual([
      { device: { kind: 'esphome_switch', url: `http://${address()}/`, id: 'bird_feeder' } },
    ]);
    // The login belongs to the address, whatever is switched there.
    await configure({ esphome_url, source: 'none', esphome_switch_id: 'other' });
    hub.settings.forget();
    isBroken = false;
    await vi.waitFor(async () => expect(await openRows()).toBe(0), soon);
    expect(new Set(logins)).toEqual(new Set([`Basic ${btoa('me:hunter2')}`]));
  });

  it('a switch that was recorded with its login, is closed with it', async () => {
    await hub.close();
    const device = { kind: 'esphome_switch', url: `http://me:hunter2@${address()}`, id: 'bird_feeder' };
    await database.pool.query('INSERT INTO open_feeder (device) VALUES ($1)', [device]);
    const logins: unknown[] = [];
    answer = ({ headers }, response) => {
      logins.push(headers.authorization);
      response.end();
    };
    hub = createTestFeeder(database, clock);
    await vi.waitFor(async () => expect(await openRows()).toBe(0), soon);
    expect(logins).toEqual([`Basic ${btoa('me:hunter2')}`]);
  });

  it('a button, is pressed and the request ends before the portion does', async () => {
    await configure({ esphome_type: 'button', esphome_switch_id: 'Give food/now', duration_seconds: 60 });
    hub.settings.forget();
    expect((await hub.post()).status).toBe(200);
    expect(asked).toEqual(['POST /button/Give%20food%2Fnow/press']);
  });

  it('user and password in the URL, are sent and not shown', async () => {
    let sent: string | undefined;
    answer = (request, response) => {
      sent = request.headers.authorization;
      response.writeHead(401).end();
    };
    await configure({ esphome_url: `http://me:s3cret@${address()}` });
    hub.settings.forget();
    expect(JSON.stringify((await hub.post()).body)).not.toContain('s3cret');
    expect(sent).toBe(`Basic ${Buffer.from('me:s3cret').toString('base64')}`);
  });

  it.each([401, 404, 302])('a device that refuses with %i, is not marked as open', async (status) => {
    answer = (_request, response) => void response.writeHead(status, { location: '/' }).end();
    expect(await hub.post()).toMatchObject({ status: 502, body: { code: 'upstream_unavailable' } });
    expect(asked).toEqual(['POST /switch/bird_feeder/turn_on']);
    expect(await openRows()).toBe(0);
  });

  it('a device that fails, may be open, and is closed when possible', async () => {
    answer = (request, response) =>
      void response.writeHead(request.url?.endsWith('turn_on') || asked.length < 4 ? 500 : 200).end();
    expect(await hub.post()).toMatchObject({ status: 502, body: { code: 'upstream_unavailable' } });
    expect(await openRows()).toBe(1);
    await vi.waitFor(async () => expect(await openRows()).toBe(0), soon);
    expect(asked.slice(1)).toEqual(Array(3).fill('POST /switch/bird_feeder/turn_off'));
  });

  it('a device that does not respond, is given up and then closed', async () => {
    answer = (request, response) => void (request.url?.endsWith('turn_off') && response.end());
    expect(await hub.post()).toMatchObject({ status: 504, body: { code: 'upstream_timeout' } });
    await vi.waitFor(async () => expect(await openRows()).toBe(0), soon);
    expect(asked.at(-1)).toBe('POST /switch/bird_feeder/turn_off');
  });

  it('a device that is down, is unavailable', async () => {
    await configure({ esphome_url: 'http://127.0.0.1:1' });
    hub.settings.forget();
    expect(await hub.post()).toMatchObject({ status: 502, body: { code: 'upstream_unavailable' } });
  });

  it('a failed portion, starts no cooldown', async () => {
    answer = (_request, response) => void response.writeHead(404).end();
    await hub.post();
    answer = (_request, response) => void response.end();
    expect((await hub.post()).status).toBe(200);
  });

  it.each(['switch', 'button'])('a %s that may have opened, starts the cooldown', async (esphome_type) => {
    await configure({ esphome_type });
    hub.settings.forget();
    answer = (request, response) =>
      void response.writeHead(/turn_on|press/.test(request.url ?? '') ? 500 : 200).end();
    expect((await hub.post()).status).toBe(502);
    // The feeder is in use until it is closed again.
    await vi.waitFor(async () => expect((await hub.post()).body['code']).toBe('feeder_cooldown'), soon);
    clock.advance(30_000);
    await vi.waitFor(async () => expect((await hub.post()).status).toBe(502), soon);
    expect(asked.filter((line) => /turn_on|press/.test(line))).toHaveLength(2);
  });

  it.each(['switch', 'button'])(
    'a %s whose service is killed before it responds, starts the cooldown',
    async (esphome_type) => {
      await configure({ esphome_type });
      hub.settings.forget();
      answer = () => undefined;
      const killed = hub.post();
      await vi.waitFor(() => expect(asked).toHaveLength(1), soon);
      // The lock of a killed process is released with its connection.
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`,
      );
      answer = (_request, response) => void response.end();
      const next = createTestFeeder(database, clock);
      // The feeder is in use until it is closed again.
      await vi.waitFor(async () => expect((await next.post()).body['code']).toBe('feeder_cooldown'), soon);
      expect(asked.filter((line) => /turn_on|press/.test(line))).toHaveLength(1);
      device.closeAllConnections();
      expect((await killed).status).toBe(502);
      await next.close();
    },
  );

  it('a device that was not reached, starts no cooldown', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await configure({ esphome_url: `http://127.0.0.1:${port}` });
    hub.settings.forget();
    await hub.post();
    expect(await openRows()).toBe(0);
    await configure();
    hub.settings.forget();
    expect((await hub.post()).status).toBe(200);
  });

  it('a device that was left open and is then not reached, is closed when it is reachable', async () => {
    answer = (request, response) =>
      void response.writeHead(request.url?.endsWith('turn_off') ? 500 : 200).end();
    await hub.post();
    const { port } = device.address() as AddressInfo;
    device.close();
    device.closeAllConnections();
    await once(device, 'close');
    clock.advance(30_000);
    await vi.waitFor(async () => expect((await hub.post()).status).toBe(502), soon);
    expect(await openRows()).toBe(1);
    answer = (_request, response) => void response.end();
    asked = [];
    await once(device.listen(port, '127.0.0.1'), 'listening');
    await vi.waitFor(async () => expect(await openRows()).toBe(0), soon);
    expect(asked).toEqual(['POST /switch/bird_feeder/turn_off']);
  });

  it.each([
    [-10_000, '30'],
    [-86_400_000, undefined],
  ])('a clock that is set by %i ms, requires at most one cooldown', async (ms, retryAfter) => {
    await hub.post();
    clock.advance(ms);
    expect((await hub.post()).retryAfter).toBe(retryAfter);
  });

  it('a device that does not close, is closed again, and the request fails', async () => {
    let refusals = 2;
    answer = (request, response) => {
      const isRefused = request.url?.endsWith('turn_off') && refusals-- > 0;
      response.writeHead(isRefused ? 404 : 200).end();
    };
    expect(await hub.post()).toMatchObject({ status: 502, body: { code: 'upstream_unavailable' } });
    await vi.waitFor(async () => expect(await openRows()).toBe(0), soon);
    expect(asked.filter((line) => line.endsWith('turn_off'))).toHaveLength(3);
  });

  it('a client that disconnects in the middle, does not leave it open', async () => {
    await configure({ duration_seconds: 0.5 });
    hub.settings.forget();
    const url = await hub.listen();
    const gone = new AbortController();
    const request = fetch(`${url}/api/ui/feed/dispense`, { method: 'POST', signal: gone.signal });
    await vi.waitFor(() => expect(asked).toHaveLength(1), soon);
    gone.abort();
    await expect(request).rejects.toThrow();
    await vi.waitFor(() => expect(asked.at(-1)).toBe('POST /switch/bird_feeder/turn_off'), soon);
    await vi.waitFor(async () => expect(await openRows()).toBe(0), soon);
  });
});
