import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectWhileVisible, createLiveConnection, type LiveSource } from './live-connection';
import type { LiveEvent } from './live-events';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const connecting = 0;
const closed = 2;

class FakeSource extends EventTarget {
  readyState = connecting;
  readonly lastEventId: string | undefined;
  constructor(lastEventId: string | undefined) {
    super();
    this.lastEventId = lastEventId;
  }
  opens() {
    this.dispatchEvent(new Event('open'));
  }
  emits(name: string, id: string, data: object = {}) {
    this.dispatchEvent(new MessageEvent(name, { lastEventId: id, data: JSON.stringify(data) }));
  }
  fails(readyState: number) {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
  close() {
    this.readyState = closed;
  }
}

function setUp() {
  const sources: FakeSource[] = [];
  const events: LiveEvent[] = [];
  const onOpen = vi.fn();
  const onLost = vi.fn();
  const connection = createLiveConnection({
    open: (lastEventId) => {
      const source = new FakeSource(lastEventId);
      sources.push(source);
      return source as unknown as LiveSource;
    },
    onEvent: (event) => events.push(event),
    onOpen,
    onLost,
    random: () => 1,
  });
  connection.start();
  const last = () => {
    const source = sources.at(-1);
    if (source === undefined) throw new Error('nothing was opened');
    return source;
  };
  return { sources, events, onOpen, onLost, connection, last };
}

describe('live connection', () => {
  it('while it is not open, is reported as lost until it opens or is stopped', () => {
    const { onLost, connection, last } = setUp();
    last().opens();
    vi.advanceTimersByTime(60_000);
    expect(onLost).not.toHaveBeenCalled();
    last().fails(closed);
    vi.advanceTimersByTime(41_000);
    expect(onLost).toHaveBeenCalledTimes(2);
    last().opens();
    vi.advanceTimersByTime(60_000);
    expect(onLost).toHaveBeenCalledTimes(2);
    last().fails(connecting);
    connection.stop();
    vi.advanceTimersByTime(60_000);
    expect(onLost).toHaveBeenCalledTimes(2);
  });

  it('when an event arrives, passes it on with its data', () => {
    const { events, last } = setUp();
    last().opens();
    last().emits('visit_started', '7', { visit_id: 3 });
    last().emits('reset', '9');
    expect(events).toEqual([
      { name: 'visit_started', data: { visit_id: 3 } },
      { name: 'reset', data: {} },
    ]);
  });

  it('while the browser reconnects by itself, opens no other source', () => {
    const { sources, last } = setUp();
    last().fails(connecting);
    vi.advanceTimersByTime(120_000);
    expect(sources).toHaveLength(1);
  });

  it('when refused repeatedly, reconnects after growing delays with the last event id', () => {
    const { sources, last } = setUp();
    last().opens();
    last().emits('motion', '41');
    for (const pauseMs of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      const before = sources.length;
      last().fails(closed);
      vi.advanceTimersByTime(pauseMs - 1);
      expect(sources).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sources).toHaveLength(before + 1);
      expect(last().lastEventId).toBe('41');
    }
    last().opens();
    last().fails(closed);
    vi.advanceTimersByTime(2_000);
    expect(sources).toHaveLength(9);
  });

  it('when reopened without a last event id, emits a reset', () => {
    const { events, connection, last } = setUp();
    last().opens();
    expect(events).toEqual([]);
    connection.stop();
    connection.start();
    last().opens();
    expect(events).toEqual([{ name: 'reset', data: {} }]);
  });

  it('each time it opens, reports it', () => {
    const { onOpen, last } = setUp();
    last().fails(connecting);
    expect(onOpen).not.toHaveBeenCalled();
    last().opens();
    last().fails(connecting);
    last().opens();
    expect(onOpen).toHaveBeenCalledTimes(2);
  });

  it('when stopped, closes its source and does not reconnect', () => {
    const { sources, connection, last } = setUp();
    last().fails(closed);
    connection.stop();
    vi.advanceTimersByTime(120_000);
    expect(sources).toHaveLength(1);
    connection.start();
    connection.start();
    expect(sources).toHaveLength(2);
    connection.stop();
    expect(last().readyState).toBe(closed);
  });
});

class FakePage extends EventTarget {
  hidden = false;
  setHidden(hidden: boolean) {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

function setUpPresence() {
  const page = new FakePage();
  const connection = { start: vi.fn(), stop: vi.fn() };
  const unwatch = connectWhileVisible(page as unknown as Document, connection);
  return { page, connection, unwatch };
}

describe('connectWhileVisible', () => {
  it('page hidden briefly, keeps the connection', () => {
    const { page, connection } = setUpPresence();
    expect(connection.start).toHaveBeenCalledTimes(1);
    page.setHidden(true);
    vi.advanceTimersByTime(59_000);
    page.setHidden(false);
    vi.advanceTimersByTime(120_000);
    expect(connection.stop).not.toHaveBeenCalled();
  });

  it('page hidden for a minute, disconnects and reconnects when visible again', () => {
    const { page, connection } = setUpPresence();
    page.setHidden(true);
    vi.advanceTimersByTime(60_000);
    expect(connection.stop).toHaveBeenCalledTimes(1);
    page.setHidden(false);
    expect(connection.start).toHaveBeenCalledTimes(2);
  });

  it('after unwatching, stops the connection for good', () => {
    const { page, connection, unwatch } = setUpPresence();
    unwatch();
    page.setHidden(false);
    expect([connection.start, connection.stop].map((call) => call.mock.calls.length)).toEqual([1, 1]);
  });
});
