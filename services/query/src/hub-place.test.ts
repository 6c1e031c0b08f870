import { defaultSettings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { hubPlace } from './hub-place.js';

const { secrets } = defaultSettings('UTC');
const at = (latitude: string, longitude: string) =>
  hubPlace({ secrets: { ...secrets, latitude, longitude } });

describe('hubPlace', () => {
  it.each([
    ['50.1', '14.4', 50.1, 14.4],
    [' -33.9 ', '+151.2', -33.9, 151.2],
    ['0', '0', 0, 0],
    ['90', '-180', 90, -180],
  ])('%s and %s, is a place', (latitude, longitude, north, east) => {
    expect(at(latitude, longitude)).toEqual({ latitude: north, longitude: east });
  });

  it.each([
    ['', ''],
    ['50.1', ''],
    ['', '14.4'],
    [' ', '14.4'],
    ['90.1', '14.4'],
    ['50.1', '180.5'],
    ['north', '14.4'],
  ])('%j and %j, is none', (latitude, longitude) => {
    expect(at(latitude, longitude)).toBeUndefined();
  });
});
