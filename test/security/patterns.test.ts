import { createContext, Script } from 'node:vm';
import { SettingsSchema } from '@birdhub/shared/settings';
import { describe, expect, it } from 'vitest';
import { attackTexts } from './fixtures/attack-texts.js';
import { operations, schemas } from './fixtures/contract-operations.js';
import { readRegexLiterals } from './fixtures/regex-literals.js';

/** As long as a header or an address may be at all. */
const attackLength = 16_384;
/** For an expression that grows with the text about a thousandth of this; for one that explodes any time is too short. */
const mostMs = 100;

/** Expressions that grow with the square of a text that is short by a rule of its own, and that length. */
const shortTexts: Readonly<Record<string, number>> = {
  // Names of species and of places.
  [String.raw`/^([^()]+?)[\s_]*\(([^()]+)\)$/u`]: 200,
  [String.raw`/^\.+|[. ]+$/g`]: 200,
  [String.raw`/[\s,;:(/–-]+$/`]: 200,
  // Addresses in settings and variables, which an administrator writes.
  '/([?&;][^=&;#]*(?:pass|pwd|token|secret|key|auth)[^=&;#]*=)[^&;#]*/gi': 2_000,
  [String.raw`/\/+$/`]: 2_000,
};

const context = createContext({ regex: /a/, text: '' });
const script = new Script('regex.test(text)');

/** The shortest of three runs, as this machine has other things to do; stopped when it is far too long. */
function measure(regex: RegExp, text: string): number {
  Object.assign(context, { regex, text });
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && best > mostMs; run += 1) {
    const startedAt = performance.now();
    try {
      script.runInContext(context, { timeout: 5 * mostMs });
    } catch {
      continue;
    }
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

/** The first text that an expression is too long at; undefined when there is none. */
function findWeakness(regex: RegExp, length = attackLength): string | undefined {
  for (const text of attackTexts(regex.source, length)) {
    if (measure(regex, text) > mostMs) return JSON.stringify(text.slice(0, 40));
  }
  return undefined;
}

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsIn)];
}

const patterns = [...new Set(patternsIn([operations, schemas, SettingsSchema]))];
const literals = [...readRegexLiterals()].map(([name, { regex }]) => ({ name, regex }));

describe('the search itself', () => {
  it.each([/^(a+)+$/, /^(\w|\d)*$/, /^\s*\s*\s*;/, /\s+$/])('%s, is found weak', (regex) => {
    expect(findWeakness(regex)).toBeDefined();
  });

  it('what there is, has been found', () => {
    expect(patterns.length).toBeGreaterThan(8);
    expect(literals.length).toBeGreaterThan(80);
    expect(literals.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(shortTexts)));
  });
});

describe('an expression against text made to hold it up', () => {
  it.each(patterns)('the pattern %s of the contract, is done in time', (pattern) => {
    expect(findWeakness(new RegExp(pattern, 'u'))).toBeUndefined();
  });

  it.each(literals)('$name of the services, is done in time', ({ name, regex }) => {
    expect(findWeakness(regex, shortTexts[name])).toBeUndefined();
  });
});
