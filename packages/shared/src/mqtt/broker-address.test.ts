import { describe, expect, it } from 'vitest';
import { type BrokerSettings, toBrokerAddress } from './broker-address.js';

const addressOf = (given: Partial<BrokerSettings>) =>
  toBrokerAddress({ broker: '', port: 1883, username: '', password: '', ...given });

describe('toBrokerAddress', () => {
  it.each([
    ['nas', 1883, 'mqtt', 'nas', 1883],
    ['nas', 1884, 'mqtt', 'nas', 1884],
    ['nas:1885', 1884, 'mqtt', 'nas', 1885],
    [' 192.168.1.5 ', 1883, 'mqtt', '192.168.1.5', 1883],
    ['fe80::1', 1883, 'mqtt', 'fe80::1', 1883],
    ['[fe80::1]:1885', 1883, 'mqtt', 'fe80::1', 1885],
    ['mqtt://nas', 1883, 'mqtt', 'nas', 1883],
    ['MQTT://nas:1', 1883, 'mqtt', 'nas', 1],
    ['tcp://nas', 1883, 'mqtt', 'nas', 1883],
    ['mqtts://nas', 1883, 'mqtts', 'nas', 8883],
    ['ssl://nas', 8884, 'mqtts', 'nas', 8884],
    ['ws://nas', 1883, 'ws', 'nas', 80],
    ['ws://nas:80', 9001, 'ws', 'nas', 80],
    ['wss://nas', 1883, 'wss', 'nas', 443],
  ])('%s with port %i, is %s at %s port %i', (broker, given, protocol, host, port) => {
    expect(addressOf({ broker, port: given })).toMatchObject({ protocol, host, port });
  });

  it('a WebSocket URL with a path, keeps it', () => {
    expect(addressOf({ broker: 'wss://nas/mqtt?site=garden' })?.path).toBe('/mqtt?site=garden');
    expect(addressOf({ broker: 'wss://nas' })?.path).toBe('/');
  });

  it.each(['http://nas', 'mqtt://', 'a b', 'nas:99999', '://nas', 'mqtt:///path'])(
    '%s, is not an address',
    (broker) => {
      expect(addressOf({ broker })).toBeUndefined();
    },
  );

  it.each([
    ['mqtt://me:p%40ss@nas', '', '', { username: 'me', password: 'p@ss' }],
    ['mqtt://me:url@nas', 'you', 'set', { username: 'you', password: 'set' }],
    ['mqtt://me:100%@nas', '', '', { username: 'me', password: '100%' }],
    ['nas', 'you', '', { username: 'you' }],
    ['nas', '', 'alone', {}],
  ])('%s with user "%s" and password "%s", logs in as %j', (broker, username, password, expected) => {
    const { username: user, password: secret } = addressOf({ broker, username, password }) ?? {};
    expect({ ...(user && { username: user }), ...(secret && { password: secret }) }).toEqual(expected);
  });
});
