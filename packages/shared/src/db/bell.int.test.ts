import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bellChannel, createBell, type Ring } from './bell.js';
import { type BellListener, listenToBell } from './bell-listener.js';

const log = pino({ level: 'silent' });
const patience = { timeout: 5_000, interval: 10 };

/** A line to the database that can fall silent: what is open then is never heard of again. */
async function layLine(databaseUrl: string) {
  const { port, searchParams } = new URL(databaseUrl);
  const socket = `${searchParams.get('host')}/.s.PGSQL.${port}`;
  const halves: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(socket);
    halves.push(near, far);
    for (const half of [near, far]) half.on('error', () => undefined);
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const fallSilent = () => {
    for (const half of halves) half.unpipe().pause();
  };
  const close = () => {
    server.close();
    for (const half of halves) half.destroy();
  };
  return { url: url.href, fallSilent, close };
}

describe('bell and listener', () => {
  let database: TestDatabase;
  let open: BellListener[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.map((listener) => listener.close()));
    open = [];
  });
  afterAll(() => database.drop());

  async function listen() {
    const rings: Ring[] = [];
    const heard = { rings, gaps: 0 };
    const onGap = () => {
      heard.gaps += 1;
    };
    const handlers = { onRing: (ring: Ring) => void rings.push(ring), onGap };
    const listener = listenToBell(database.url, handlers, log);
    open.push(listener);
    await vi.waitFor(() => expect(listener.isListening()).toBe(true), patience);
    return Object.assign(heard, { listener });
  }

  const changesOf = (rings: readonly Ring[]) => rings.flatMap((ring) => ring.changes);

  it('a ring, is heard by every listener and answered with its token', async () => {
    const bell = createBell(database.pool, log);
    const [one, other] = [await listen(), await listen()];
    const token = bell.ring({ kind: 'recordings', from: 1, to: 2 });
    await vi.waitFor(() => expect([one.rings.length, other.rings.length]).toEqual([1, 1]), patience);
    expect(one.rings).toEqual(other.rings);
    const [ring] = one.rings;
    expect(`${ring?.origin}:${ring?.sequence}`).toBe(token);
    expect(ring?.changes).toEqual([{ kind: 'recordings', from: 1, to: 2 }]);
  });

  it('rings of two processes, have tokens that never go back and are all heard', async () => {
    const bells = [createBell(database.pool, log), createBell(database.pool, log)];
    const { rings } = await listen();
    const tokens = Array.from({ length: 40 }, (_, at) =>
      (bells[at % 2] ?? bells[0])?.ring({ kind: 'recordings', from: at, to: at }),
    );
    await Promise.all(bells.map((bell) => bell.settled()));
    await vi.waitFor(() => expect(changesOf(rings)).toHaveLength(40), patience);
    expect(new Set(rings.map((ring) => ring.origin)).size).toBe(2);
    const numbers = tokens.filter((_, at) => at % 2 === 0).map((token) => Number(token?.split(':')[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const heard = new Map(rings.map((ring) => [`${ring.origin}:${ring.sequence}`, ring.changes]));
    for (const [at, token] of tokens.entries()) {
      expect(heard.get(token ?? '')).toContainEqual({ kind: 'recordings', from: at, to: at });
    }
  });

  it('a ring while another is under way, has a later token and is heard under it', async () => {
    const bell = createBell(database.pool, log);
    const { rings } = await listen();
    const first = bell.ring({ kind: 'species' });
    await vi.waitFor(() => expect(rings).toHaveLength(1), patience);
    const second = bell.ring({ kind: 'settings' });
    expect(second).not.toBe(first);
    await vi.waitFor(
      () => expect(rings.map((ring) => `${ring.origin}:${ring.sequence}`)).toEqual([first, second]),
      patience,
    );
  });

  it('in this process, is heard at once and without the database', () => {
    const bell = createBell(database.pool, log);
    const heard = vi.fn();
    bell.onRing(heard);
    bell.wake();
    expect(heard).toHaveBeenCalledTimes(1);
    bell.ring({ kind: 'species' });
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('a listener that lost its connection, tells of the gap and hears again', async () => {
    const bell = createBell(database.pool, log);
    const heard = await listen();
    expect(heard.gaps).toBe(1);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'birdhub-bell' AND datname = current_database()`,
    );
    await vi.waitFor(() => expect(heard.gaps).toBe(2), patience);
    expect(heard.listener.isListening()).toBe(true);
    bell.ring({ kind: 'everything' });
    await vi.waitFor(() => expect(changesOf(heard.rings)).toEqual([{ kind: 'everything' }]), patience);
  });

  it.each(['', 'no json', '{"a":', 'null', '{}'])(
    'a notification %j that is no ring, counts as a gap and harms nobody',
    async (payload) => {
      const bell = createBell(database.pool, log);
      const heard = await listen();
      await database.pool.query('SELECT pg_notify($1, $2)', [bellChannel, payload]);
      bell.ring({ kind: 'species' });
      await vi.waitFor(() => expect(changesOf(heard.rings)).toEqual([{ kind: 'species' }]), patience);
      expect(heard.gaps).toBe(2);
    },
  );

  it('a ring while the database refuses, is rung again', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const refuse = vi.spyOn(pool, 'query').mockImplementationOnce(() => Promise.reject(new Error('lost')));
    const bell = createBell(pool, log);
    const { rings } = await listen();
    bell.ring({ kind: 'species' });
    await vi.waitFor(() => expect(rings).toHaveLength(1), patience);
    expect(refuse.mock.calls.length).toBeGreaterThan(1);
    await bell.settled();
    await pool.end();
  });

  it('a closed listener, hears nothing more and leaves no connection', async () => {
    const { listener, rings } = await listen();
    await listener.close();
    expect(listener.isListening()).toBe(false);
    const bell = createBell(database.pool, log);
    bell.ring({ kind: 'species' });
    await bell.settled();
    const { rows } = await database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'birdhub-bell' AND datname = current_database()`,
    );
    expect([rings, rows]).toEqual([[], []]);
  });

  it('a connection that falls silent, is given up and a gap reported by another', async () => {
    const line = await layLine(database.url);
    const handlers = { onRing: vi.fn(), onGap: vi.fn() };
    const listener = listenToBell(line.url, handlers, log, 200);
    open.push(listener);
    await vi.waitFor(() => expect(listener.isListening()).toBe(true), patience);
    line.fallSilent();
    await vi.waitFor(() => expect(handlers.onGap).toHaveBeenCalledTimes(2), patience);
    createBell(database.pool, log).ring({ kind: 'weather' });
    await vi.waitFor(() => expect(handlers.onRing).toHaveBeenCalledTimes(1), patience);
    line.close();
  });
});
