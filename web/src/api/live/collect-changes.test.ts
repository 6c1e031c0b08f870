import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Changes, collectChanges } from './collect-changes';
import type { LiveEvent, LiveName } from './live-events';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const eventOf = (name: LiveName, data: LiveEvent['data'] = {}): LiveEvent => ({ name, data });

function setUp() {
  const handed: (string | string[])[] = [];
  const keep = (changes: Changes) => handed.push(typeof changes === 'string' ? changes : [...changes]);
  return { handed, collector: collectChanges(keep) };
}

describe('collectChanges', () => {
  it.each<[LiveName, string | string[]]>([
    ['visit_extended', ['timeline', 'overview', 'species']],
    ['recording_purged', ['timeline', 'highlights', 'video', 'storage', 'status']],
    ['processor', ['status']],
    ['settings', 'everything'],
    ['reset', 'everything'],
  ])('after %s, reports %s', (name, expected) => {
    const { handed, collector } = setUp();
    collector.add(eventOf(name));
    vi.runAllTimers();
    expect(handed).toEqual([expected]);
  });

  it.each<LiveName>(['motion', 'notice'])('after %s, reports nothing', (name) => {
    const { handed, collector } = setUp();
    collector.add(eventOf(name));
    vi.runAllTimers();
    expect(handed).toEqual([]);
  });

  it.each<LiveName>(['correction', 'recording_removed', 'species', 'job'])(
    'after %s, reports the counts of past days too',
    (name) => {
      const { handed, collector } = setUp();
      collector.add(eventOf(name));
      vi.runAllTimers();
      expect(handed[0]).toEqual(expect.arrayContaining(['timeline', 'timeline-history', 'sightings-range']));
    },
  );

  it.each([
    ['of this moment', 60_000, false],
    ['of last month', 30 * 86_400_000, true],
  ])('after a visit %s, reports the counts of past days: only if they may have changed', (_, ago, isLate) => {
    const { handed, collector } = setUp();
    const start_time = new Date(Date.now() - ago).toISOString();
    collector.add(eventOf('visit_started', { start_time }));
    vi.runAllTimers();
    expect(handed[0]?.includes('timeline-history')).toBe(isLate);
    expect(handed[0]?.includes('sightings-range')).toBe(isLate);
  });

  it('after a burst of events, reports each resource once', () => {
    const { handed, collector } = setUp();
    for (const name of ['visit_extended', 'processor', 'visit_extended'] as const) {
      collector.add(eventOf(name));
      vi.advanceTimersByTime(300);
    }
    expect(handed).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(handed).toEqual([['timeline', 'overview', 'species', 'status']]);
  });

  it('during an endless burst, reports every three seconds', () => {
    const { handed, collector } = setUp();
    for (let at = 0; at < 6_200; at += 100) {
      collector.add(eventOf('processor'));
      vi.advanceTimersByTime(100);
    }
    expect(handed).toEqual([['status'], ['status']]);
  });

  it('with events that follow each other slowly, reports at most every three seconds', () => {
    const { handed, collector } = setUp();
    for (let second = 0; second < 6; second += 1) {
      collector.add(eventOf('processor'));
      vi.advanceTimersByTime(1_000);
    }
    expect(handed).toHaveLength(2);
  });

  it('with a reset among the events, reports everything and starts a new batch', () => {
    const { handed, collector } = setUp();
    collector.add(eventOf('processor'));
    collector.add(eventOf('reset'));
    vi.runAllTimers();
    collector.add(eventOf('processor'));
    vi.runAllTimers();
    expect(handed).toEqual(['everything', ['status']]);
  });

  it('when stopped, drops the pending changes', () => {
    const { handed, collector } = setUp();
    collector.add(eventOf('reset'));
    collector.stop();
    vi.runAllTimers();
    expect(handed).toEqual([]);
  });
});
