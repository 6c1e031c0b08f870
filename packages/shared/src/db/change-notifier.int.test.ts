import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ChangeListener, listenForChanges } from './change-listener.js';
import { type ChangeNotice, changeChannel, createChangeNotifier } from './change-notifier.js';

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
  let open: ChangeListener[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.map((listener) => listener.close()));
    open = [];
  });
  afterAll(() => database.drop());

  async function listen() {
    const notices: ChangeNotice[] = [];
    const heard = { notices, gaps: 0 };
    const onGap = () => {
      heard.gaps += 1;
    };
    const handlers = { onNotice: (notice: ChangeNotice) => void notices.push(notice), onGap };
    const listener = listenForChanges(database.url, handlers, log);
    open.push(listener);
    await vi.waitFor(() => expect(listener.isListening()).toBe(true), patience);
    return Object.assign(heard, { listener });
  }

  const changesOf = (notices: readonly ChangeNotice[]) => notices.flatMap((notice) => notice.changes);

  it('a notice, is heard by every listener and answered with its token', async () => {
    const notifier = createChangeNotifier(database.pool, log);
    const [one, other] = [await listen(), await listen()];
    const token = notifier.notify({ kind: 'recordings', from: 1, to: 2 });
    await vi.waitFor(() => expect([one.notices.length, other.notices.length]).toEqual([1, 1]), patience);
    expect(one.notices).toEqual(other.notices);
    const [notice] = one.notices;
    expect(`${notice?.origin}:${notice?.sequence}`).toBe(token);
    expect(notice?.changes).toEqual([{ kind: 'recordings', from: 1, to: 2 }]);
  });

  it('notices of two processes, have tokens that never go back and are all heard', async () => {
    const notifiers = [createChangeNotifier(database.pool, log), createChangeNotifier(database.pool, log)];
    const { notices } = await listen();
    const tokens = Array.from({ length: 40 }, (_, at) =>
      (notifiers[at % 2] ?? notifiers[0])?.notify({ kind: 'recordings', from: at, to: at }),
    );
    await Promise.all(notifiers.map((notifier) => notifier.settled()));
    await vi.waitFor(() => expect(changesOf(notices)).toHaveLength(40), patience);
    expect(new Set(notices.map((notice) => notice.origin)).size).toBe(2);
    const numbers = tokens.filter((_, at) => at % 2 === 0).map((token) => Number(token?.split(':')[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const heard = new Map(notices.map((notice) => [`${notice.origin}:${notice.sequence}`, notice.changes]));
    for (const [at, token] of tokens.entries()) {
      expect(heard.get(token ?? '')).toContainEqual({ kind: 'recordings', from: at, to: at });
    }
  });

  it('a notice while another is under way, has a later token and is heard under it', async () => {
    const notifier = createChangeNotifier(database.pool, log);
    const { notices } = await listen();
    const first = notifier.notify({ kind: 'species' });
    await vi.waitFor(() => expect(notices).toHaveLength(1), patience);
    const second = notifier.notify({ kind: 'settings' });
    expect(second).not.toBe(first);
    await vi.waitFor(
      () => expect(notices.map((notice) => `${notice.origin}:${notice.sequence}`)).toEqual([first, second]),
      patience,
    );
  });

  it('in this process, is heard at once and without the database', () => {
    const notifier = createChangeNotifier(database.pool, log);
    const heard = vi.fn();
    notifier.onNotice(heard);
    notifier.wake();
    expect(heard).toHaveBeenCalledTimes(1);
    notifier.notify({ kind: 'species' });
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('a listener that lost its connection, tells of the gap and hears again', async () => {
    const notifier = createChangeNotifier(database.pool, log);
    const heard = await listen();
    expect(heard.gaps).toBe(1);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'birdhub-changes' AND datname = current_database()`,
    );
    await vi.waitFor(() => expect(heard.gaps).toBe(2), patience);
    expect(heard.listener.isListening()).toBe(true);
    notifier.notify({ kind: 'everything' });
    await vi.waitFor(() => expect(changesOf(heard.notices)).toEqual([{ kind: 'everything' }]), patience);
  });

  it.each(['', 'no json', '{"a":', 'null', '{}'])(
    'a notification %j that is no notice, counts as a gap and harms nobody',
    async (payload) => {
      const notifier = createChangeNotifier(database.pool, log);
      const heard = await listen();
      await database.pool.query('SELECT pg_notify($1, $2)', [changeChannel, payload]);
      notifier.notify({ kind: 'species' });
      await vi.waitFor(() => expect(changesOf(heard.notices)).toEqual([{ kind: 'species' }]), patience);
      expect(heard.gaps).toBe(2);
    },
  );

  it('a notice while the database refuses, is rung again', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const refuse = vi.spyOn(pool, 'query').mockImplementationOnce(() => Promise.reject(new Error('lost')));
    const notifier = createChangeNotifier(pool, log);
    const { notices } = await listen();
    notifier.notify({ kind: 'species' });
    await vi.waitFor(() => expect(notices).toHaveLength(1), patience);
    expect(refuse.mock.calls.length).toBeGreaterThan(1);
    await notifier.settled();
    await pool.end();
  });

  it('a closed listener, hears nothing more and leaves no connection', async () => {
    const { listener, notices } = await listen();
    await listener.close();
    expect(listener.isListening()).toBe(false);
    const notifier = createChangeNotifier(database.pool, log);
    notifier.notify({ kind: 'species' });
    await notifier.settled();
    const { rows } = await database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'birdhub-changes' AND datname = current_database()`,
    );
    expect([notices, rows]).toEqual([[], []]);
  });

  it('a connection that falls silent, is given up and a gap reported by another', async () => {
    const line = await layLine(database.url);
    const handlers = { onNotice: vi.fn(), onGap: vi.fn() };
    const listener = listenForChanges(line.url, handlers, log, 200);
    open.push(listener);
    await vi.waitFor(() => expect(listener.isListening()).toBe(true), patience);
    line.fallSilent();
    await vi.waitFor(() => expect(handlers.onGap).toHaveBeenCalledTimes(2), patience);
    createChangeNotifier(database.pool, log).notify({ kind: 'weather' });
    await vi.waitFor(() => expect(handlers.onNotice).toHaveBeenCalledTimes(1), patience);
    line.close();
  });
});
