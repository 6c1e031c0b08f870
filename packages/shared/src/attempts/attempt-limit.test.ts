import { describe, expect, test } from 'vitest';
import { addressKey } from './attempt-limit.js';

describe('addressKey', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:51234', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:0207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::'],
    ['2001:db8:1:3::9', '2001:db8:1:3::'],
    ['fe80::1%eth0', 'fe80::'],
    ['::1', '::'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['x'.repeat(9_000), 'unknown'],
    ['', 'unknown'],
  ])('%s, is counted as %s', (ip, expected) => {
    expect(addressKey({ ip })).toBe(expected);
  });
});
