import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLiveConnection, type LiveSource, watchPresence } from './live-connection';
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
  tells(name: string, id: string, data: object = {}) {
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
  const heard: LiveEvent[] = [];
  const connection = createLiveConnection({
    open: (lastEventId) => {
      const source = new FakeSource(lastEventId);
      sources.push(source);
      return source as unknown as LiveSource;
    },
    onEvent: (event) => heard.push(event),
    random: () => 1,
  });
  connection.start();
  const last = () => {
    const source = sources.at(-1);
    if (source === undefined) throw new Error('nothing was opened');
    return source;
  };
  return { sources, heard, connection, last };
}

describe('live connection', () => {
  it('told of something, hands it on with its data', () => {
    const { heard, last } = setUp();
    last().opens();
    last().tells('visit_started', '7', { visit_id: 3 });
    last().tells('reset', '9');
    expect(heard).toEqual([
      { name: 'visit_started', data: { visit_id: 3 } },
      { name: 'reset', data: {} },
    ]);
  });

  it('lost while the browser comes back by itself, is left to it', () => {
    const { sources, last } = setUp();
    last().fails(connecting);
    vi.advanceTimersByTime(120_000);
    expect(sources).toHaveLength(1);
  });

  it('refused again and again, comes back behind its last event after growing pauses', () => {
    const { sources, last } = setUp();
    last().opens();
    last().tells('motion', '41');
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

  it('back without an id that it could go on behind, says that something may be missing', () => {
    const { heard, connection, last } = setUp();
    last().opens();
    expect(heard).toEqual([]);
    connection.stop();
    connection.start();
    last().opens();
    expect(heard).toEqual([{ name: 'reset', data: {} }]);
  });

  it('stopped, closes its source and stays away', () => {
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
  turns(hidden: boolean) {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

function setUpPresence() {
  const page = new FakePage();
  const connection = { start: vi.fn(), stop: vi.fn() };
  const leave = watchPresence(page as unknown as Document, connection);
  return { page, connection, leave };
}

describe('watchPresence', () => {
  it('page hidden for a moment, keeps the connection', () => {
    const { page, connection } = setUpPresence();
    expect(connection.start).toHaveBeenCalledTimes(1);
    page.turns(true);
    vi.advanceTimersByTime(59_000);
    page.turns(false);
    vi.advanceTimersByTime(120_000);
    expect(connection.stop).not.toHaveBeenCalled();
  });

  it('page hidden for long, leaves and comes back when it is seen', () => {
    const { page, connection } = setUpPresence();
    page.turns(true);
    vi.advanceTimersByTime(60_000);
    expect(connection.stop).toHaveBeenCalledTimes(1);
    page.turns(false);
    expect(connection.start).toHaveBeenCalledTimes(2);
  });

  it('no longer watched, stops at once and for good', () => {
    const { page, connection, leave } = setUpPresence();
    leave();
    page.turns(false);
    expect([connection.start, connection.stop].map((call) => call.mock.calls.length)).toEqual([1, 1]);
  });
});
