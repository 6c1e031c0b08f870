import { readFileSync } from 'node:fs';
import { speciesKey } from './species-names.js';

/** Read from the sources also by the compiled module, as the compiler copies no data. */
const file = new URL('../../src/species/earlier-names.csv', import.meta.url);

let kept: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Returns the keys of other scientific names of the same species. Lists disagree on which of them is in use, so the
 * present name leads to the earlier ones too.
 */
export function otherScientificKeys(key: string): readonly string[] {
  kept ??= readPairs(readFileSync(file, 'utf8'));
  return kept.get(key) ?? [];
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
 * Whether two scientific names may be one species that was moved to another genus: the last words are the same but for
 * their gender. Meaningful only where something else says that it is the same bird.
 */
export function isSameEpithet(one: string, other: string): boolean {
  return stemOf(one) === stemOf(other);
}

function stemOf(name: string): string {
  const epithet = speciesKey(name).split(' ')[1] ?? '';
  const stem = epithet.replace(genderEnding, '');
  return stem.length < 3 ? epithet : stem;
}
