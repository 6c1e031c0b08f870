import { defaultSettings, type Settings } from '@birdhub/domain/settings';
import { manualClock } from '@birdhub/testing/clocks';
import { describe, expect, it, vi } from 'vitest';
import type { Heartbeat } from '../processor/heartbeat.store.js';
import { createDeviceStatus, deriveStatus, type StatusFacts, toDeviceRequest } from './status.js';

const now = Date.UTC(2026, 4, 1, 12);
const minute = 60_000;

const aHeartbeat = (given: Partial<Heartbeat> = {}): Heartbeat => ({
  at: now - 1_000,
  mqttConnected: null,
  lastYoloOkAt: null,
  lastVideoOkAt: null,
  ...given,
});

const derive = (given: Partial<StatusFacts> = {}) =>
  deriveStatus({
    now,
    heartbeat: undefined,
    isRestartPending: false,
    mqtt: 'not_configured',
    esphome: 'not_used',
    video: { cameras: [] },
    storage: 'ok',
    ...given,
  });

describe('deriveStatus', () => {
  it('without any report of a processor, has only the parts of the hub', () => {
    expect(derive()).toEqual({
      web: 'ok',
      processor: 'unknown',
      mqtt: 'not_configured',
      esphome: 'not_used',
      yolo: 'unknown',
      video: 'not_configured',
      storage: 'ok',
      processor_last_seen: null,
      processor_restart_pending: false,
    });
  });

  it('with a requested restart, is pending', () => {
    expect(derive({ isRestartPending: true }).processor_restart_pending).toBe(true);
  });

  it.each([
    [0, 'ok'],
    [5 * minute - 1, 'ok'],
    [5 * minute, 'error'],
    [90 * 24 * 60 * minute, 'error'],
    [-1_000, 'ok'],
  ])('with a heartbeat of %i ms ago, has a processor that is %s', (ago, expected) => {
    const { processor, processor_last_seen } = derive({ heartbeat: aHeartbeat({ at: now - ago }) });
    expect([processor, processor_last_seen]).toEqual([expected, new Date(now - ago).toISOString()]);
  });

  it.each([
    ['ok', false, 0, 'ok'],
    ['error', true, 0, 'error'],
    ['not_configured', true, 0, 'ok'],
    ['not_configured', false, 0, 'error'],
    ['not_configured', null, 0, 'not_configured'],
    ['not_configured', 'yes', 0, 'not_configured'],
    ['not_configured', true, 5 * minute, 'unknown'],
  ] as const)(
    'with the broker %s and a processor report of %j, %i ms ago, has mqtt %s',
    (mqtt, mqttConnected, ago, expected) => {
      expect(derive({ mqtt, heartbeat: aHeartbeat({ mqttConnected, at: now - ago }) }).mqtt).toBe(expected);
    },
  );

  it.each([
    ['2026-05-01T11:56:00.123456+00:00', 'ok'],
    ['2026-05-01T11:56:00', 'ok'],
    ['2026-05-01T13:56:00+02:00', 'ok'],
    ['2026-05-01T11:55:00Z', 'error'],
    [now / 1000 - 299, 'ok'],
    [now / 1000 - 299.5, 'ok'],
    [`${now / 1000 - 10}`, 'ok'],
    [now / 1000 - 300, 'error'],
    [now / 1000 + 60, 'ok'],
    [now / 1000 + 600, 'unknown'],
    [now, 'unknown'],
    [null, 'unknown'],
    ['', 'unknown'],
    ['ok', 'unknown'],
    [true, 'unknown'],
    [{ at: 1 }, 'unknown'],
    [[now / 1000], 'unknown'],
    [Number.NaN, 'unknown'],
  ])('with a detector that last worked at %j, has it %s', (lastYoloOkAt, expected) => {
    expect(derive({ heartbeat: aHeartbeat({ lastYoloOkAt }) }).yolo).toBe(expected);
  });

  it.each([
    [[], null, 'not_configured'],
    [[{ id: 'off', enabled: false }], null, 'not_configured'],
    [[{ id: 'garden' }], null, 'unknown'],
    [[{ id: 'garden' }], now / 1000 - 10, 'ok'],
    [[{ id: 'garden' }], now / 1000 - 600, 'error'],
    [[], now / 1000 - 10, 'ok'],
  ])('with cameras %j and a picture at %j, has video %s', (cameras, lastVideoOkAt, expected) => {
    expect(derive({ video: { cameras }, heartbeat: aHeartbeat({ lastVideoOkAt }) }).video).toBe(expected);
  });
});

const feedOf = (given: Partial<Settings['feed']>) => ({ ...defaultSettings('UTC').feed, ...given });
const device = feedOf({ source: 'esphome', esphome_url: 'http://feeder' });

/** A device that responds when the test releases it. */
function watchDevice() {
  const clock = manualClock(0);
  const questions: { address: string; respond(isThere: boolean): void }[] = [];
  const watch = createDeviceStatus(
    clock,
    (address) => new Promise((respond) => void questions.push({ address, respond })),
  );
  return { clock, questions, state: (feed = device) => watch.state(feed) };
}

describe('device watch', () => {
  it('a feeder of another kind or without an address, is not requested', async () => {
    const { state, questions } = watchDevice();
    const responses = [
      state(feedOf({ source: 'mqtt', esphome_url: 'http://feeder' })),
      state(feedOf({ source: 'esphome' })),
    ];
    expect(await Promise.all(responses)).toEqual(['not_used', 'not_configured']);
    expect(questions).toEqual([]);
  });

  it.each([
    [true, 'ok'],
    [false, 'error'],
  ])('first callers at once, share one request, answered %j as %s', async (isThere, expected) => {
    const { state, questions } = watchDevice();
    const responses = [state(), state(), state()];
    questions[0]?.respond(isThere);
    expect(await Promise.all(responses)).toEqual([expected, expected, expected]);
    expect(questions).toHaveLength(1);
  });

  it('a result older than half a minute, is returned while it is refreshed', async () => {
    const { state, questions, clock } = watchDevice();
    const first = state();
    questions[0]?.respond(true);
    await first;
    clock.advance(29_999);
    await state();
    expect(questions).toHaveLength(1);
    clock.advance(1);
    expect(await Promise.all([state(), state()])).toEqual(['ok', 'ok']);
    expect(questions).toHaveLength(2);
    questions[1]?.respond(false);
    await vi.waitFor(async () => expect(await state()).toBe('error'));
    expect(questions).toHaveLength(2);
  });

  it('another address, is requested at once, and a late response of the old one is ignored', async () => {
    const { state, questions, clock } = watchDevice();
    const first = state();
    questions[0]?.respond(true);
    await first;
    clock.advance(30_000);
    await state();
    const moved = state(feedOf({ source: 'esphome', esphome_url: 'http://other' }));
    expect(questions.map(({ address }) => address)).toEqual([
      'http://feeder',
      'http://feeder',
      'http://other',
    ]);
    questions[2]?.respond(false);
    questions[1]?.respond(true);
    expect(await moved).toBe('error');
    expect(await state(feedOf({ source: 'esphome', esphome_url: 'http://other' }))).toBe('error');
  });
});

describe('toDeviceRequest', () => {
  it.each([
    ['http://feeder/', undefined],
    ['http://me:50%off@feeder/', 'me:50%off'],
    ['http://me:a%40b%zz@feeder/', 'me:a@b%zz'],
  ])('with address %s, sends the user and password %s in the header', (address, credentials) => {
    const { url, headers } = toDeviceRequest(address);
    expect(url).toBe('http://feeder/');
    expect(headers['authorization']).toBe(
      credentials && `Basic ${Buffer.from(credentials).toString('base64')}`,
    );
  });
});
