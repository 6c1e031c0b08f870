import { expect, test } from 'vitest';
import { listBelow, readText } from './repository-files.js';

// They share the modules of a worker: the next file would get the replacement.
test('tests of the web UI, replace no module', () => {
  const tests = listBelow('web/src').filter((file) => /\.tsx?$/.test(file));
  expect(tests.some((file) => file.endsWith('.test.tsx'))).toBe(true);
  expect(tests.filter((file) => /\bvi\.(?:mock|doMock)\b/.test(readText(file)))).toEqual([]);
});
