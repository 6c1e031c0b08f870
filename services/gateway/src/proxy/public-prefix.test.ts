import { expect, test } from 'vitest';
import { publicPrefix } from './public-prefix.js';

const cases: [string | undefined, string, string][] = [
  [undefined, '', ''],
  [undefined, '/hub', '/hub'],
  ['/birds', '', '/birds'],
  ['/birds/', '', '/birds'],
  ['/birds', '/hub', '/birds/hub'],
  ['/a/b', '/hub', '/a/b/hub'],
  ['/', '/hub', '/hub'],
  ['', '/hub', '/hub'],
  ['//evil.example', '', ''],
  ['/a//b', '/hub', '/hub'],
  ['https://evil.example', '', ''],
  ['/a\\b', '', ''],
  ['/a?b', '', ''],
  ['/a, /b', '/hub', '/hub'],
];

test.each(cases)('publicPrefix, header %j and base %j, is %j', (header, basePath, expected) => {
  expect(publicPrefix(header, basePath)).toBe(expected);
});
