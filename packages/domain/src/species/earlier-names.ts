import { readFileSync } from 'node:fs';
import { speciesKey } from './species-names.js';

/** The compiled module also reads the file from the sources, because the compiler does not copy data. */
const file = new URL('../../src/species/earlier-names.csv', import.meta.url);

let cached: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Returns the keys of other scientific names of the same species, earlier and current ones, because lists disagree about
 * the current name.
 */
export function otherScientificKeys(key: string): readonly string[] {
  cached ??= readPairs(readFileSync(file, 'utf8'));
  return cached.get(key) ?? [];
}

function readPairs(text: string): Map<string, readonly string[]> {
  const others = new Map<string, string[]>();
  const add = (key: string, other: string) => {
    const known = others.get(key);
    if (known) known.push(other);
    else others.set(key, [other]);
  };
  for (const line of text.trimEnd().split(/\r?\n/u).slice(1)) {
    const [earlier = '', present = ''] = line.split(',').map(speciesKey);
    add(earlier, present);
    add(present, earlier);
  }
  return others;
}

/** Endings of Latin adjectives, which follow the gender of the genus. */
const genderEnding = /(?:ii|us|um|is|er|ra|rum|a|e|i)$/u;

/**
 * Returns whether two scientific names may be names of one species that was moved to another genus: the epithets are
 * equal except for their gender. Only meaningful together with other evidence.
 */
export function isSameEpithet(one: string, other: string): boolean {
  return stemOf(one) === stemOf(other);
}

function stemOf(name: string): string {
  const epithet = speciesKey(name).split(' ')[1] ?? '';
  const stem = epithet.replace(genderEnding, '');
  return stem.length < 3 ? epithet : stem;
}
