import { describe, expect, it } from 'vitest';
import { listBelow, readText } from './repository-files.js';

const sources = ['packages', 'services']
  .flatMap(listBelow)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
/** Database sessions are in UTC, which formats need to name. */
const otherZone = /\bAT TIME ZONE (?!'UTC')/i;

describe('statements', () => {
  it('of all sources, name no time zone', () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((name) => otherZone.test(readText(name)))).toEqual([]);
  });
});
