import { SettingsSchema } from '@birdhub/domain/settings';
import { check } from 'recheck';
import { describe, expect, it } from 'vitest';
import { operations, schemas } from './fixtures/contract-operations.js';
import { readRegexLiterals } from './fixtures/regex-literals.js';

/** Expressions whose time is quadratic in their text, and what keeps that text short. */
const boundedTexts: Readonly<Record<string, string>> = {
  [String.raw`/^(.+?)[\s_]*[([]([^()[\]]*)[)\]]$/u`]: 'names of species have at most 200 characters',
  [String.raw`/[\s_,/-]+$/u`]: 'names of species have at most 200 characters',
  '/[/,&-]+$/u': 'names of species have at most 200 characters',
  [String.raw`/^\.+|[. ]+$/g`]: 'names of species have at most 200 characters',
  [String.raw`/[\s,;:(/–-]+$/`]: 'names of places have at most 200 characters',
  [String.raw`/@|:(?!\d*$)[^\]]*$/`]: 'addresses have at most 2,000 characters',
  [String.raw`/\/+$/`]: 'addresses have at most 2,000 characters',
};

/** Returns the weakness of an expression, such as "exponential"; undefined when its time is linear in the text. */
async function findWeakness({ source, flags }: RegExp): Promise<string | undefined> {
  const proven = await check(source, flags, { checker: 'automaton' });
  // The automaton does not support lookaheads; such expressions are fuzzed, always with the same texts.
  const result =
    proven.status === 'unknown' ? await check(source, flags, { checker: 'fuzz', randomSeed: 1 }) : proven;
  if (result.status === 'safe') return undefined;
  return result.status === 'vulnerable' ? result.complexity.summary : result.status;
}

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsIn)];
}

const patterns = [...new Set(patternsIn([operations, schemas, SettingsSchema]))];
const literals = [...readRegexLiterals()].map(([name, { regex }]) => ({ name, regex }));

describe('the check for slow expressions', () => {
  it.each([/^(a+)+$/, /^(\w|\d)*$/, /^\s*\s*\s*;/, /\s+$/])('with %s, reports it', async (regex) => {
    expect(await findWeakness(regex)).toBeDefined();
  });

  it('with the sources and the contract, finds expressions to check', () => {
    expect(patterns.length).toBeGreaterThan(8);
    expect(literals.length).toBeGreaterThan(80);
    expect(literals.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(boundedTexts)));
  });
});

describe('a regular expression', () => {
  it.each(patterns)('in the contract, %s, takes time linear in its text', async (pattern) => {
    expect(await findWeakness(new RegExp(pattern, 'u'))).toBeUndefined();
  });

  it.each(literals)(
    'in the services, $name, takes time linear in its text or has a short text',
    async ({ name, regex }) => {
      const weakness = await findWeakness(regex);
      if (name in boundedTexts) expect(weakness).toMatch('polynomial');
      else expect(weakness).toBeUndefined();
    },
  );
});
