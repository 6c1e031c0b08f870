import { describe, expect, it } from 'vitest';
import { lockClasses, lockKeys, lockNames, lockPrefixes } from './locks.js';

const tables: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
  lockKeys,
  lockClasses,
  lockNames,
  lockPrefixes,
};

describe('advisory locks', () => {
  it.each(Object.entries(tables))('%s, has no key twice', (_, table) => {
    const keys = Object.values(table);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('a name, never starts with the prefix of others', () => {
    const starts = Object.values(lockNames).filter((name) =>
      Object.values(lockPrefixes).some((prefix) => name.startsWith(prefix)),
    );
    expect(starts).toEqual([]);
  });
});
