import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchPresence } from './watch-presence';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class FakePage extends EventTarget {
  hidden = false;
  turns(hidden: boolean) {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

function setUp() {
  const page = new FakePage();
  const connection = { start: vi.fn(), stop: vi.fn() };
  const leave = watchPresence(page as unknown as Document, connection);
  return { page, connection, leave };
}

it('presence, page hidden for a moment, keeps the connection', () => {
  const { page, connection } = setUp();
  expect(connection.start).toHaveBeenCalledTimes(1);
  page.turns(true);
  vi.advanceTimersByTime(59_000);
  page.turns(false);
  vi.advanceTimersByTime(120_000);
  expect(connection.stop).not.toHaveBeenCalled();
});

it('presence, page hidden for long, leaves and comes back when it is seen', () => {
  const { page, connection } = setUp();
  page.turns(true);
  vi.advanceTimersByTime(60_000);
  expect(connection.stop).toHaveBeenCalledTimes(1);
  page.turns(false);
  expect(connection.start).toHaveBeenCalledTimes(2);
});

it('presence, no longer watched, stops at once and for good', () => {
  const { page, connection, leave } = setUp();
  leave();
  page.turns(false);
  expect([connection.start, connection.stop].map((call) => call.mock.calls.length)).toEqual([1, 1]);
});
