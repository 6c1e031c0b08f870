import { describe, expect, it } from 'vitest';
import { hindranceOf, type PushSurroundings } from './push-support';

const android: PushSurroundings = {
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

describe('hindrance', () => {
  it.each<[string, PushSurroundings, string | undefined]>([
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
  ])('of %s, is %s', (_device, surroundings, expected) => {
    expect(hindranceOf(surroundings)).toBe(expected);
  });
});
