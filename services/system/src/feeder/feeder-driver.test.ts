import { defaultSettings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { findFeeder, staysOpen } from './feeder-driver.js';

const find = (given: object) => findFeeder({ ...defaultSettings('UTC').feed, ...given });
const esphome_url = 'http://feeder.local';

describe('findFeeder', () => {
  it.each([
    [{}, undefined],
    [{ source: 'mqtt' }, { kind: 'mqtt', topic: 'cmnd/bird_feeder/Power' }],
    [{ source: 'mqtt', mqtt_topic: ' ' }, undefined],
    [{ source: 'esphome' }, undefined],
    [
      { source: 'esphome', esphome_url },
      { kind: 'esphome_switch', url: esphome_url, id: 'bird_feeder' },
    ],
    [
      { source: 'esphome', esphome_url, esphome_type: 'button', esphome_switch_id: ' drum ' },
      { kind: 'esphome_button', url: esphome_url, id: 'drum' },
    ],
    [{ source: 'esphome', esphome_url, esphome_switch_id: '' }, undefined],
    [{ source: 'none', esphome_url }, undefined],
  ])('settings %j, give the feeder %j', (given, feeder) => {
    expect(find(given)).toEqual(feeder);
  });
});

describe('staysOpen', () => {
  it('a button, is false, and a switch or MQTT is true', () => {
    const esphome = { url: esphome_url, id: 'a' };
    expect(staysOpen({ kind: 'esphome_button', ...esphome })).toBe(false);
    expect(staysOpen({ kind: 'esphome_switch', ...esphome })).toBe(true);
    expect(staysOpen({ kind: 'mqtt', topic: 'a' })).toBe(true);
  });
});
