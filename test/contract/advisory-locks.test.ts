import { lockClasses, lockKeys, lockNames, lockPrefixes } from '@birdhub/shared/db';
import { describe, expect, it } from 'vitest';
import { listBelow, readText } from './repository-files.js';

const files = ['packages', 'services']
  .flatMap(listBelow)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
/** A key given as a literal where the lock is taken, also after the pool. */
const ownKey = /advisory\w*(?:<[^>]*>)?\(\s*(?:[\w.]+,\s*)?(?:\d|['"`]birdhub|['"]|hashtextextended\(\s*')/i;

describe('keys of advisory locks', () => {
  it('in all sources, are defined only in db/locks.ts', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((name) => ownKey.test(readText(name)))).toEqual([]);
  });

  it('in db/locks.ts, are each used', () => {
    const text = files.map(readText).join('\n');
    const names = Object.entries({ lockClasses, lockKeys, lockNames, lockPrefixes }).flatMap(([list, keys]) =>
      Object.keys(keys).map((key) => `${list}.${key}`),
    );
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });

  it.each([
    'pg_advisory_xact_lock(7, 1)',
    "pg_try_advisory_lock(hashtextextended('x', 0))",
    "withAdvisoryLock(pool, 'birdhub.x', work)",
    "withAdvisoryLock(\n  this.deps.pool,\n  'birdhub.x',",
  ])('as in %j, are recognised as literals', (code) => {
    expect(code).toMatch(ownKey);
  });
});
