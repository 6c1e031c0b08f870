import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  genericSpecies,
  isGenericSpecies,
  normaliseSpeciesName,
  readNameMapping,
  speciesKey,
} from './species-names.js';

const pieces = [
  'Great',
  'TIT',
  'Äöü',
  'é',
  'i',
  'ñ',
  "'",
  '’',
  '´',
  '-',
  '–',
  '_',
  ' ',
  ' ',
  '\t',
  '(',
  ')',
  ',',
];
const foreign = [
  '大山雀',
  'シジュウカラ',
  'ガ',
  '박새',
  'Большая синица',
  'й',
  'Σ',
  'ﬁ',
  'Ｔ',
  'ß',
  'ŉ',
  '\u200d',
  '\u0301',
];
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...pieces, ...foreign), { maxLength: 12 }).map((all) => all.join('')),
);
const always = { numRuns: 2_000 };

describe('normaliseSpeciesName', () => {
  test('a name, with stray white space and control characters, becomes one line with single spaces', () => {
    expect(normaliseSpeciesName('  Great\t \u0000Tit\n')).toBe('Great Tit');
  });

  test('a name, with a decomposed accent, is composed and keeps its case', () => {
    expect(normaliseSpeciesName('Ru\u0308ppell’s Warbler')).toBe('Rüppell’s Warbler');
  });

  test('any text, normalised twice, is the same as normalised once', () => {
    fc.assert(
      fc.property(text, (name) => {
        const once = normaliseSpeciesName(name);
        expect(normaliseSpeciesName(once)).toBe(once);
      }),
      always,
    );
  });
});

describe('speciesKey', () => {
  test.each([
    ['great_tit', 'GREAT  TIT'],
    ['Common Wood-Pigeon', 'common wood pigeon'],
    ["Anna's Hummingbird", 'ANNAS_HUMMINGBIRD'],
    ['Anna’s Hummingbird', 'Anna´s Hummingbird'],
    ['Rüppell’s Warbler', 'Ruppells Warbler'],
    ['Weißstorch', 'Weissstorch'],
    ['Чёрный дрозд', 'черный дрозд'],
    ['Ｇｒｅａｔ Ｔｉｔ', 'Great Tit'],
  ])('two spellings, %s and %s, have the same key', (one, other) => {
    expect(speciesKey(one)).toBe(speciesKey(other));
  });

  test.each([
    ['ガン', 'カン'],
    ['чайка', 'чаика'],
    ['大山雀', '小山雀'],
    ['Great Tit', 'Greater Tit'],
    ['House Martin', 'Housemartin'],
    ['-', '_'],
  ])('two names, %s and %s, have different keys', (one, other) => {
    expect(speciesKey(one)).not.toBe(speciesKey(other));
  });

  test.each(['大山雀', 'シジュウカラ', '박새', 'большая синица'])(
    'a name of another script, %s, is its own key',
    (name) => {
      expect(speciesKey(name)).toBe(name);
    },
  );

  test('any text, keyed twice or normalised first, gives the same key', () => {
    fc.assert(
      fc.property(text, (name) => {
        const key = speciesKey(name);
        expect(speciesKey(key)).toBe(key);
        expect(speciesKey(normaliseSpeciesName(name))).toBe(key);
      }),
      always,
    );
  });

  test('every character, between letters, gives a stable key', () => {
    const unstable: string[] = [];
    // Ideographs and unassigned characters have no case and no marks.
    const plain = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Tangut}\p{Cn}\p{Co}]/u;
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (plain.test(character)) continue;
      const key = speciesKey(`a${character}b`);
      if (speciesKey(key) !== key) unstable.push(code.toString(16));
    }
    expect(unstable).toEqual([]);
  });

  test('any text, unless blank, has a non-empty key', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(speciesKey(name) === '').toBe(normaliseSpeciesName(name) === '');
      }),
      always,
    );
  });
});

describe('readNameMapping', () => {
  test('any spelling of a mapped name, has the key of its entry', () => {
    const mapping = readNameMapping({ ' Blue-tit': 'Eurasian Blue Tit' });
    expect(mapping.get(speciesKey('blue TIT'))).toBe('Eurasian Blue Tit');
  });

  test('an entry with a blank name, is left out', () => {
    expect(readNameMapping({ Robin: '', Wren: ' \t' }).size).toBe(0);
  });
});

describe('isGenericSpecies', () => {
  test.each([...genericSpecies, ' bird', 'UNKNOWN'])('%s, is generic', (name) => {
    expect(isGenericSpecies(name)).toBe(true);
  });

  test.each(['Great Tit', 'Blackbird', 'Bird of prey', ''])('%j, is not generic', (name) => {
    expect(isGenericSpecies(name)).toBe(false);
  });
});
