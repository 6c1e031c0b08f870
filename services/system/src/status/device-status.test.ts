import { defaultSettings, type Settings } from '@birdhub/domain/settings';
import { manualClock } from '@birdhub/shared/time';
import { describe, expect, it, vi } from 'vitest';
import { createDeviceStatus } from './device-status.js';

const feedOf = (given: Partial<Settings['feed']>) => ({ ...defaultSettings('UTC').feed, ...given });
const device = feedOf({ source: 'esphome', esphome_url: 'http://feeder' });

/** A device that answers when it is told to. */
function watchDevice() {
  const clock = manualClock(0);
  const questions: { address: string; answer(isThere: boolean): void }[] = [];
  const watch = createDeviceStatus(
    clock,
    (address) => new Promise((answer) => void questions.push({ address, answer })),
  );
  return { clock, questions, state: (feed = device) => watch.state(feed) };
}

describe('device watch', () => {
  it('a feeder of another kind or without an address, is not requested', async () => {
    const { state, questions } = watchDevice();
    const answers = [
      state(feedOf({ source: 'mqtt', esphome_url: 'http://feeder' })),
      state(feedOf({ source: 'esphome' })),
    ];
    expect(await Promise.all(answers)).toEqual(['not_used', 'not_configured']);
    expect(questions).toEqual([]);
  });

  it.each([
    [true, 'ok'],
    [false, 'error'],
  ])('all who ask first, wait for one question, and answered %j tells %s', async (isThere, expected) => {
    const { state, questions } = watchDevice();
    const answers = [state(), state(), state()];
    questions[0]?.answer(isThere);
    expect(await Promise.all(answers)).toEqual([expected, expected, expected]);
    expect(questions).toHaveLength(1);
  });

  it('after half a minute, returns the stale result while it is refreshed', async () => {
    const { state, questions, clock } = watchDevice();
    const first = state();
    questions[0]?.answer(true);
    await first;
    clock.advance(29_999);
    await state();
    expect(questions).toHaveLength(1);
    clock.advance(1);
    expect(await Promise.all([state(), state()])).toEqual(['ok', 'ok']);
    expect(questions).toHaveLength(2);
    questions[1]?.answer(false);
    await vi.waitFor(async () => expect(await state()).toBe('error'));
    expect(questions).toHaveLength(2);
  });

  it('another address, is requested at once, and a late response of the old one is ignored', async () => {
    const { state, questions, clock } = watchDevice();
    const first = state();
    questions[0]?.answer(true);
    await first;
    clock.advance(30_000);
    await state();
    const moved = state(feedOf({ source: 'esphome', esphome_url: 'http://other' }));
    expect(questions.map(({ address }) => address)).toEqual([
      'http://feeder',
      'http://feeder',
      'http://other',
    ]);
    questions[2]?.answer(false);
    questions[1]?.answer(true);
    expect(await moved).toBe('error');
    expect(await state(feedOf({ source: 'esphome', esphome_url: 'http://other' }))).toBe('error');
  });
});
