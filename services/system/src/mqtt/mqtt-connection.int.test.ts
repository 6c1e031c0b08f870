import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { defaultSettings, type Settings } from '@birdhub/domain/settings';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestBroker, type TestBroker } from '../testing/test-broker.js';
import { MqttConnection } from './mqtt-connection.js';

const availability = 'birdhub/availability';
const soon = { interval: 20 };

describe('MQTT connection', () => {
  let broker: TestBroker;
  let link: MqttConnection;
  let lines: { level: number; msg: string; reason?: string }[];

  beforeEach(async () => {
    lines = [];
    broker = await startTestBroker({ password: 'right' });
    link = new MqttConnection(pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }));
  });
  afterEach(async () => {
    await link.close();
    await broker.kill();
  });

  const follow = (given: Partial<Settings['mqtt']> = {}) =>
    link.configure({
      ...defaultSettings('UTC').mqtt,
      broker: '127.0.0.1',
      port: broker.port,
      username: 'hub',
      password: 'right',
      ...given,
    });
  const becomes = (state: string) => vi.waitFor(() => expect(link.state()).toBe(state), soon);
  const warnings = () => lines.filter(({ level }) => level === 40);

  it('without a broker in the settings, is not configured and publishes nothing', async () => {
    follow({ broker: ' ' });
    expect(link.state()).toBe('not_configured');
    await expect(link.publish({ topic: 'a', payload: 'b' })).rejects.toThrow('there is no MQTT broker');
  });

  it('with a broker, is connected and shows the hub as online', async () => {
    follow();
    await becomes('ok');
    const listener = await broker.listen();
    await vi.waitFor(() => expect(listener.last(availability)).toBe('online'), soon);
    await link.publish({ topic: 'a', payload: 'b' });
    await vi.waitFor(() =>
      expect(listener.messages).toContainEqual({ topic: 'a', payload: 'b', retain: false }),
    );
    const later = await broker.listen();
    await vi.waitFor(() => expect(later.last(availability)).toBe('online'), soon);
    expect(later.last('a')).toBeUndefined();
    await Promise.all([listener.close(), later.close()]);
  });

  it('with a wrong password, logs it once, and connects with the right settings', async () => {
    follow({ password: 'wrong' });
    await vi.waitFor(() => expect(warnings()).toHaveLength(1), soon);
    expect(link.state()).toBe('error');
    expect(warnings()[0]?.reason).toMatch(/not authorized|user name or password/i);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(warnings()).toHaveLength(1);
    follow();
    await becomes('ok');
    expect(JSON.stringify(lines)).not.toMatch(/wrong|right/);
  });

  it('with an invalid address, is an error', () => {
    follow({ broker: 'http://127.0.0.1' });
    expect([link.state(), warnings().length]).toEqual(['error', 1]);
  });

  it('with a broker that fails and recovers, is an error and then connected again', async () => {
    const connected = vi.fn();
    link.onConnect(connected);
    follow();
    await becomes('ok');
    await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(1), soon);
    await broker.kill();
    await becomes('error');
    await expect(link.publish({ topic: 'late', payload: '' })).rejects.toThrow('not connected');
    await broker.start();
    await becomes('ok');
    const listener = await broker.listen();
    await vi.waitFor(() => expect(listener.last(availability)).toBe('online'), soon);
    expect(connected).toHaveBeenCalledTimes(2);
    expect(listener.last('late')).toBeUndefined();
    await listener.close();
  });

  it('lost before an acknowledgement, rejects the message and does not send it later', async () => {
    follow();
    await becomes('ok');
    const sending = link.publish({ topic: 'feeder', payload: 'ON' });
    broker.cutHubs();
    const outcome = await sending.then(
      () => 'sent',
      () => 'rejected',
    );
    const listener = await broker.listen();
    await becomes('ok');
    await link.publish({ topic: 'end', payload: '' });
    await vi.waitFor(() => expect(listener.messages.some(({ topic }) => topic === 'end')).toBe(true), soon);
    expect([outcome, listener.last('feeder')]).toEqual(['rejected', undefined]);
    await listener.close();
  });

  it('lost unexpectedly, leaves the last will to others', async () => {
    const listener = await broker.listen();
    follow();
    await vi.waitFor(() => expect(listener.last(availability)).toBe('online'), soon);
    broker.cutHubs();
    await vi.waitFor(() => expect(listener.last(availability)).toBe('offline'), soon);
    await vi.waitFor(() => expect(listener.last(availability)).toBe('online'), soon);
    await listener.close();
  });

  it('after a change to another broker, connects to it and publishes offline to the old one', async () => {
    const other = await startTestBroker({ password: 'right' });
    const listener = await broker.listen();
    follow();
    await becomes('ok');
    follow({ port: other.port });
    await vi.waitFor(() => expect(other.hubs()).toHaveLength(1), soon);
    await becomes('ok');
    await vi.waitFor(() => expect(listener.last(availability)).toBe('offline'), soon);
    await vi.waitFor(() => expect(broker.hubs()).toEqual([]), soon);
    follow({ broker: '' });
    expect(link.state()).toBe('not_configured');
    await vi.waitFor(() => expect(other.hubs()).toEqual([]), soon);
    await Promise.all([listener.close(), other.kill()]);
  });

  it('after a change of other settings, is kept', async () => {
    follow();
    await becomes('ok');
    const [hub] = broker.hubs();
    follow({ publish_topic: 'other', ha_discovery: false });
    expect([link.state(), broker.hubs()]).toEqual(['ok', [hub]]);
  });

  it('with a subscribed topic, receives it, also after reconnecting', async () => {
    const heard: string[] = [];
    link.subscribe('home/status', (payload) => heard.push(payload));
    follow();
    await becomes('ok');
    const listener = await broker.listen();
    const sayUntilHeard = (payload: string) =>
      vi.waitFor(async () => {
        await listener.publish('home/status', payload);
        expect(heard).toContain(payload);
      }, soon);
    await sayUntilHeard('one');
    broker.cutHubs();
    await becomes('error');
    await becomes('ok');
    await sayUntilHeard('two');
    await listener.close();
  });

  it('with a rejected subscription, tries it again on the same connection until it is granted', async () => {
    await link.close();
    link = new MqttConnection(pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }), {
      resubscribeMs: 20,
    });
    const heard: string[] = [];
    link.subscribe('home/status', (payload) => heard.push(payload));
    broker.allowsSubscriptions = false;
    follow();
    await becomes('ok');
    await vi.waitFor(() => expect(warnings()).toMatchObject([{ msg: 'mqtt broker rejects subscriptions' }]));
    const hubs = broker.hubs();
    broker.allowsSubscriptions = true;
    const listener = await broker.listen();
    await vi.waitFor(async () => {
      await listener.publish('home/status', 'one');
      expect(heard).toContain('one');
    }, soon);
    expect(broker.hubs()).toEqual(hubs);
    expect(warnings()).toHaveLength(1);
    await listener.close();
  });

  it('closed, publishes offline', async () => {
    follow();
    await becomes('ok');
    const listener = await broker.listen();
    await vi.waitFor(() => expect(listener.last(availability)).toBe('online'), soon);
    await link.close();
    await vi.waitFor(() => expect(listener.last(availability)).toBe('offline'), soon);
    expect([link.state(), broker.hubs()]).toEqual(['not_configured', []]);
    await listener.close();
  });

  it('to a broker that never responds, does not delay the close', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    follow({ port: (silent.address() as AddressInfo).port });
    await once(silent, 'connection');
    await link.close();
    silent.close();
  });
});
