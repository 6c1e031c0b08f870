import { expect, it } from 'vitest';
import { parseDockerignore } from './parse-dockerignore.js';

const isIgnored = parseDockerignore('# why\n**/dist\n**/*.tsbuildinfo\n.git\ndata\n');

it.each([
  ['dist', true],
  ['services/query/dist/main.js', true],
  ['services/query/dist-notes.md', false],
  ['web/a.tsbuildinfo', true],
  ['.git/HEAD', true],
  ['xgit', false],
  ['.gitignore', false],
  ['data/recordings', true],
  ['services/data', false],
])('parseDockerignore, for %s, ignores it: %s', (path, expected) => {
  expect(isIgnored(path)).toBe(expected);
});
