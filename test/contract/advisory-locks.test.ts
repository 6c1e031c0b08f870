import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const sources = ['packages', 'services'];
/** A key given as a literal where the lock is taken. */
const ownKey = /advisory\w*\(\s*(?:\d|'|hashtextextended\(\s*')/;

it('keys of advisory locks, in all sources, are defined only in db/locks.ts', () => {
  const files = sources.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => !/(?:^|\/)(?:dist|node_modules|generated)\//.test(file))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(300);
  const wrong = files.filter((file) => ownKey.test(readFileSync(join(root, file), 'utf8')));
  expect(wrong).toEqual([]);
});
