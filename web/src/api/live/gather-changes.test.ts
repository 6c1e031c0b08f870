import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Changes, gatherChanges } from './gather-changes';
import type { LiveName } from './live-events';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const handed: (string | string[])[] = [];
  const keep = (changes: Changes) => handed.push(typeof changes === 'string' ? changes : [...changes]);
  return { handed, gatherer: gatherChanges(keep) };
}

describe('changes', () => {
  it.each<[LiveName, string | string[]]>([
    ['visit_extended', ['timeline', 'overview', 'species']],
    ['recording_purged', ['timeline', 'highlights', 'video', 'storage', 'status']],
    ['processor', ['status']],
    ['settings', 'everything'],
    ['reset', 'everything'],
  ])('after %s, are %s', (name, expected) => {
    const { handed, gatherer } = setUp();
    gatherer.note(name);
    vi.runAllTimers();
    expect(handed).toEqual([expected]);
  });

  it.each<LiveName>(['motion', 'notice'])('after %s, are none', (name) => {
    const { handed, gatherer } = setUp();
    gatherer.note(name);
    vi.runAllTimers();
    expect(handed).toEqual([]);
  });

  it('of a burst, are handed over once when it is over, each resource once', () => {
    const { handed, gatherer } = setUp();
    for (const name of ['visit_extended', 'processor', 'visit_extended'] as const) {
      gatherer.note(name);
      vi.advanceTimersByTime(300);
    }
    expect(handed).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(handed).toEqual([['timeline', 'overview', 'species', 'status']]);
  });

  it('of a burst without end, are handed over every three seconds', () => {
    const { handed, gatherer } = setUp();
    for (let at = 0; at < 6_200; at += 100) {
      gatherer.note('processor');
      vi.advanceTimersByTime(100);
    }
    expect(handed).toEqual([['status'], ['status']]);
  });

  it('of which one is everything, are everything, and those after it are gathered afresh', () => {
    const { handed, gatherer } = setUp();
    gatherer.note('processor');
    gatherer.note('reset');
    vi.runAllTimers();
    gatherer.note('processor');
    vi.runAllTimers();
    expect(handed).toEqual(['everything', ['status']]);
  });

  it('that are stopped, are forgotten', () => {
    const { handed, gatherer } = setUp();
    gatherer.note('reset');
    gatherer.stop();
    vi.runAllTimers();
    expect(handed).toEqual([]);
  });
});
