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

describe('obstacle', () => {
  it.each<[string, PushEnvironment, string | undefined]>([
    ['a phone that was not asked yet', android, undefined],
    ['one that allowed them', { ...android, permission: 'granted' }, undefined],
    ['one that refused them', { ...android, permission: 'denied' }, 'denied'],
    ['a page without HTTPS', { ...android, isSecure: false, hasPush: false }, 'needs_https'],
    ['a browser without them', { ...android, hasPush: false }, 'not_supported'],
    ['a browser that knows no permission', { ...android, permission: undefined }, 'not_supported'],
    ['an iPhone in the browser', { ...iPhone, hasPush: false, permission: undefined }, 'needs_home_screen'],
    ['an iPad in the browser', { ...iPad, hasPush: false }, 'needs_home_screen'],
    ['an iPhone from the home screen', { ...iPhone, isInstalled: true }, undefined],
    ['a Mac', mac, undefined],
  ])('of %s, is %s', (_device, environment, expected) => {
    expect(findObstacle(environment)).toBe(expected);
  });
});

const options = (...bytes: number[]) => ({
  userVisibleOnly: true,
  applicationServerKey: Uint8Array.from(bytes).buffer,
});

it('base64url, without padding and with its own letters, is read', () => {
  expect([...fromBase64Url('-_8')]).toEqual([251, 255]);
  expect([...fromBase64Url('AQIDBA')]).toEqual([1, 2, 3, 4]);
});

it('a key, the same bytes or none that the browser tells, is that of the subscription', () => {
  const key = Uint8Array.from([1, 2, 3]);
  expect(isKeyOf(options(1, 2, 3), key)).toBe(true);
  expect(isKeyOf({ userVisibleOnly: true, applicationServerKey: null }, key)).toBe(true);
});

it.each([[[1, 2, 4]], [[1, 2]], [[1, 2, 3, 4]]])('a key, other bytes %j, is another', (bytes) => {
  expect(isKeyOf(options(...bytes), Uint8Array.from([1, 2, 3]))).toBe(false);
});
