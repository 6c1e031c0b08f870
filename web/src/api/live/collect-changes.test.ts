import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Changes, collectChanges } from './collect-changes';
import type { LiveName } from './live-events';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
    collector.add(name);
    vi.runAllTimers();
    expect(handed).toEqual([expected]);
  });

  it.each<LiveName>(['motion', 'notice'])('after %s, reports nothing', (name) => {
    const { handed, collector } = setUp();
    collector.add(name);
    vi.runAllTimers();
    expect(handed).toEqual([]);
  });

  it('after a burst of events, reports each resource once', () => {
    const { handed, collector } = setUp();
    for (const name of ['visit_extended', 'processor', 'visit_extended'] as const) {
      collector.add(name);
      vi.advanceTimersByTime(300);
    }
    expect(handed).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(handed).toEqual([['timeline', 'overview', 'species', 'status']]);
  });

  it('during an endless burst, reports every three seconds', () => {
    const { handed, collector } = setUp();
    for (let at = 0; at < 6_200; at += 100) {
      collector.add('processor');
      vi.advanceTimersByTime(100);
    }
    expect(handed).toEqual([['status'], ['status']]);
  });

  it('with a reset among the events, reports everything and starts a new batch', () => {
    const { handed, collector } = setUp();
    collector.add('processor');
    collector.add('reset');
    vi.runAllTimers();
    collector.add('processor');
    vi.runAllTimers();
    expect(handed).toEqual(['everything', ['status']]);
  });

  it('when stopped, drops the pending changes', () => {
    const { handed, collector } = setUp();
    collector.add('reset');
    collector.stop();
    vi.runAllTimers();
    expect(handed).toEqual([]);
  });
});
