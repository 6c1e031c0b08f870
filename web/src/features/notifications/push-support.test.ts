import { describe, expect, it } from 'vitest';
import { findObstacle, fromBase64Url, isKeyOf, type PushEnvironment } from './push-support';

const android: PushEnvironment = {
  isSecure: true,
  hasPush: true,
  userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/130',
  touchPoints: 5,
  isInstalled: false,
  permission: 'default',
};
const iPhone = { ...android, userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' };
const iPad = { ...android, userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X)', touchPoints: 5 };
const mac = { ...iPad, touchPoints: 0 };

describe('findObstacle', () => {
  it.each<[string, PushEnvironment, string | undefined]>([
    ['a phone that was not asked for permission', android, undefined],
    ['a phone with permission granted', { ...android, permission: 'granted' }, undefined],
    ['a phone with permission denied', { ...android, permission: 'denied' }, 'denied'],
    ['a page without HTTPS', { ...android, isSecure: false, hasPush: false }, 'needs_https'],
    ['a browser without push', { ...android, hasPush: false }, 'not_supported'],
    ['a browser without permissions', { ...android, permission: undefined }, 'not_supported'],
    ['an iPhone in the browser', { ...iPhone, hasPush: false, permission: undefined }, 'needs_home_screen'],
    ['an iPad in the browser', { ...iPad, hasPush: false }, 'needs_home_screen'],
    ['an iPhone from the home screen', { ...iPhone, isInstalled: true }, undefined],
    ['a Mac', mac, undefined],
  ])('for %s, returns the obstacle, if any', (_device, environment, expected) => {
    expect(findObstacle(environment)).toBe(expected);
  });
});

const options = (...bytes: number[]) => ({
  userVisibleOnly: true,
  applicationServerKey: Uint8Array.from(bytes).buffer,
});

it('fromBase64Url, without padding and with - and _, decodes the bytes', () => {
  expect([...fromBase64Url('-_8')]).toEqual([251, 255]);
  expect([...fromBase64Url('AQIDBA')]).toEqual([1, 2, 3, 4]);
});

it('isKeyOf, with the same bytes or an undisclosed key, is true', () => {
  const key = Uint8Array.from([1, 2, 3]);
  expect(isKeyOf(options(1, 2, 3), key)).toBe(true);
  expect(isKeyOf({ userVisibleOnly: true, applicationServerKey: null }, key)).toBe(true);
});

it.each([[[1, 2, 4]], [[1, 2]], [[1, 2, 3, 4]]])('isKeyOf, with other bytes %j, is false', (bytes) => {
  expect(isKeyOf(options(...bytes), Uint8Array.from([1, 2, 3]))).toBe(false);
});
