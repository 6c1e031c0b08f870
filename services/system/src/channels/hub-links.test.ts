import { describe, expect, it } from 'vitest';
import { addressOf, ownPath } from './hub-links.js';

const home = { baseUrl: '', basePath: '' };
const below = { baseUrl: '', basePath: '/birds' };
const known = { baseUrl: 'https://hub.example/birds/', basePath: '/birds' };

describe('addresses of the hub', () => {
  it.each([
    [home, '/videos/1', '/videos/1'],
    [below, '/videos/1', '/birds/videos/1'],
    [known, '/videos/1', 'https://hub.example/birds/videos/1'],
  ])('in %j, contain a path', (place, path, expected) => {
    expect(addressOf(place, path)).toBe(expected);
  });

  it.each([
    [home, '/live?a=1#b', '/live?a=1#b'],
    [home, '/a/../b', '/b'],
    [below, '/birds/live', '/live'],
    [below, '/live', '/live'],
    [below, '/birdsong', '/birdsong'],
    [known, 'https://hub.example/birds/live', '/live'],
    [known, 'https://hub.example/birds', '/'],
    [known, 'https://HUB.example:443/birds/live?a', '/live?a'],
  ])('in %j, include %s', (place, given, expected) => {
    expect(ownPath(place, given)).toBe(expected);
  });

  it.each([
    [home, 'https://evil.example/'],
    [home, 'http://hub.invalid/a'],
    [home, '//evil.example/a'],
    [home, '/\\evil.example/a'],
    [home, '/\t/evil.example'],
    [home, '/.//evil.example/x'],
    [home, '/..//evil.example/x'],
    [home, '/a/..//evil.example/x'],
    [home, '/%2e//evil.example/x'],
    [home, '/%2E%2e//evil.example/x'],
    [home, '/./\\evil.example/x'],
    [home, '/.\\/evil.example/x'],
    [home, '/.\t//evil.example/x'],
    [home, '/.\n/\r/evil.example/x'],
    [home, '\t//evil.example/x'],
    [home, ' //evil.example/x'],
    [home, '\\\\evil.example/x'],
    [home, '///evil.example/x'],
    [below, '/.//evil.example/x'],
    [below, '/birds//evil.example/x'],
    [below, '/birds/.//evil.example/x'],
    [known, '/birds/..//evil.example/x'],
    [known, 'https://hub.example/birds//evil.example/x'],
    [home, 'http://user:word@evil.example/x'],
    [home, 'data:text/html,x'],
    [home, 'javascript:alert(1)'],
    [home, 'live'],
    [home, ''],
    [known, 'https://hub.example/other'],
    [known, 'https://hub.example/birdsong'],
    [known, 'https://hub.example.evil/birds/a'],
    [known, 'https://hub.example@evil.example/birds/a'],
    [known, 'http://hub.example/birds/a'],
  ])('in %j, exclude %j', (place, given) => {
    expect(ownPath(place, given)).toBeUndefined();
  });

  it.each(['/a', '/%2f%2fevil.example', '/%5cevil.example', '/@evil.example', '/a//b', '/:80'])(
    'from the path %s, stay on the hub',
    (given) => {
      for (const place of [home, below]) {
        const address = new URL(addressOf(place, ownPath(place, given) ?? ''), 'http://hub.example');
        expect(address.host).toBe('hub.example');
      }
    },
  );
});
