import { createTestDatabase, startDatabaseProxy, type TestDatabase } from '@birdhub/testing';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChangeListener, type ChangeNotice, ChangeNotifier, changeChannel } from './change-notices.js';

const log = pino({ level: 'silent' });
const waitOptions = { interval: 10 };

describe('change notifier and listener', () => {
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
    const received = { notices, gaps: 0 };
    const onGap = () => {
      received.gaps += 1;
    };
    const handlers = { onNotice: (notice: ChangeNotice) => void notices.push(notice), onGap };
    const listener = new ChangeListener(database.url, handlers, log);
    open.push(listener);
    await vi.waitFor(() => expect(listener.isListening()).toBe(true), waitOptions);
    return Object.assign(received, { listener });
  }

  const changesOf = (notices: readonly ChangeNotice[]) => notices.flatMap((notice) => notice.changes);

  it('a notice, reaches every listener with the token of its change', async () => {
    const notifier = new ChangeNotifier(database.pool, log);
    const [one, other] = [await listen(), await listen()];
    notifier.notify({ kind: 'recordings', from: 1, to: 2 });
    const { token } = notifier.last();
    await vi.waitFor(() => expect([one.notices.length, other.notices.length]).toEqual([1, 1]), waitOptions);
    expect(one.notices).toEqual(other.notices);
    const [notice] = one.notices;
    expect(`${notice?.origin}:${notice?.sequence}`).toBe(token);
    expect(notice?.changes).toEqual([{ kind: 'recordings', from: 1, to: 2 }]);
  });

  it('notices of two processes, all arrive with tokens that never decrease', async () => {
    const notifiers = [new ChangeNotifier(database.pool, log), new ChangeNotifier(database.pool, log)];
    const { notices } = await listen();
    const tokens = Array.from({ length: 40 }, (_, at) => {
      const notifier = notifiers[at % 2] ?? notifiers[0];
      notifier?.notify({ kind: 'recordings', from: at, to: at });
      return notifier?.last().token;
    });
    await Promise.all(notifiers.map((notifier) => notifier.settled()));
    await vi.waitFor(() => expect(changesOf(notices)).toHaveLength(40), waitOptions);
    expect(new Set(notices.map((notice) => notice.origin)).size).toBe(2);
    const numbers = tokens.filter((_, at) => at % 2 === 0).map((token) => Number(token?.split(':')[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const received = new Map(
      notices.map((notice) => [`${notice.origin}:${notice.sequence}`, notice.changes]),
    );
    for (const [at, token] of tokens.entries()) {
      expect(received.get(token ?? '')).toContainEqual({ kind: 'recordings', from: at, to: at });
    }
  });

  it('a change after a sent notice, has a later token and arrives with it', async () => {
    const notifier = new ChangeNotifier(database.pool, log);
    const { notices } = await listen();
    notifier.notify({ kind: 'species' });
    const first = notifier.last().token;
    await vi.waitFor(() => expect(notices).toHaveLength(1), waitOptions);
    notifier.notify({ kind: 'settings' });
    const second = notifier.last().token;
    expect(second).not.toBe(first);
    await vi.waitFor(
      () => expect(notices.map((notice) => `${notice.origin}:${notice.sequence}`)).toEqual([first, second]),
      waitOptions,
    );
  });

  it('a listener in the same process, is called at once, without the database', () => {
    const notifier = new ChangeNotifier(database.pool, log);
    const received = vi.fn();
    notifier.onNotice(received);
    notifier.wake();
    expect(received).toHaveBeenCalledTimes(1);
    notifier.notify({ kind: 'species' });
    expect(received).toHaveBeenCalledTimes(2);
  });

  it('a listener that lost its connection, reports a gap and receives notices again', async () => {
    const notifier = new ChangeNotifier(database.pool, log);
    const received = await listen();
    expect(received.gaps).toBe(1);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'birdhub-changes' AND datname = current_database()`,
    );
    await vi.waitFor(() => expect(received.gaps).toBe(2), waitOptions);
    expect(received.listener.isListening()).toBe(true);
    notifier.notify({ kind: 'everything' });
    await vi.waitFor(
      () => expect(changesOf(received.notices)).toEqual([{ kind: 'everything' }]),
      waitOptions,
    );
  });

  it.each(['', 'no json', '{"a":', 'null', '{}'])(
    'an invalid notification %j, is reported as a gap',
    async (payload) => {
      const notifier = new ChangeNotifier(database.pool, log);
      const received = await listen();
      await database.pool.query('SELECT pg_notify($1, $2)', [changeChannel, payload]);
      notifier.notify({ kind: 'species' });
      await vi.waitFor(() => expect(changesOf(received.notices)).toEqual([{ kind: 'species' }]), waitOptions);
      expect(received.gaps).toBe(2);
    },
  );

  it('a notice that the database refuses, is sent again', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const refuse = vi.spyOn(pool, 'query').mockImplementationOnce(() => Promise.reject(new Error('lost')));
    const notifier = new ChangeNotifier(pool, log);
    const { notices } = await listen();
    notifier.notify({ kind: 'species' });
    await vi.waitFor(() => expect(notices).toHaveLength(1), waitOptions);
    expect(refuse.mock.calls.length).toBeGreaterThan(1);
    await notifier.settled();
    await pool.end();
  });

  it('a closed listener, receives nothing more and leaves no connection', async () => {
    const { listener, notices } = await listen();
    await listener.close();
    expect(listener.isListening()).toBe(false);
    const notifier = new ChangeNotifier(database.pool, log);
    notifier.notify({ kind: 'species' });
    await notifier.settled();
    const { rows } = await database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'birdhub-changes' AND datname = current_database()`,
    );
    expect([notices, rows]).toEqual([[], []]);
  });

  it('a dead connection, is replaced, and a gap is reported', async () => {
    const proxy = await startDatabaseProxy(database.url);
    const handlers = { onNotice: vi.fn(), onGap: vi.fn() };
    const listener = new ChangeListener(proxy.url, handlers, log, 200);
    open.push(listener);
    await vi.waitFor(() => expect(listener.isListening()).toBe(true), waitOptions);
    proxy.stopForwarding();
    await vi.waitFor(() => expect(handlers.onGap).toHaveBeenCalledTimes(2), waitOptions);
    new ChangeNotifier(database.pool, log).notify({ kind: 'weather' });
    await vi.waitFor(() => expect(handlers.onNotice).toHaveBeenCalledTimes(1), waitOptions);
    proxy.close();
  });
});
