import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GENERIC_SPECIES,
  isGenericSpecies,
  labelCandidates,
  normaliseSpeciesName,
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
  test('a name, with stray white space and control characters, is one line with single spaces', () => {
    expect(normaliseSpeciesName('  Great\t \u0000Tit\n')).toBe('Great Tit');
  });

  test('a name, with a decomposed accent, is composed and keeps its case', () => {
    expect(normaliseSpeciesName('Ru\u0308ppell’s Warbler')).toBe('Rüppell’s Warbler');
  });

  test('any text, normalised twice, stays as it is', () => {
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
    ['Ｇｒｅａｔ Ｔｉｔ', 'Great Tit'],
  ])('two spellings, %s and %s, meet', (one, other) => {
    expect(speciesKey(one)).toBe(speciesKey(other));
  });

  test.each([
    ['ガン', 'カン'],
    ['чайка', 'чаика'],
    ['大山雀', '小山雀'],
    ['Great Tit', 'Greater Tit'],
    ['House Martin', 'Housemartin'],
    ['-', '_'],
  ])('two names, %s and %s, stay apart', (one, other) => {
    expect(speciesKey(one)).not.toBe(speciesKey(other));
  });

  test.each(['大山雀', 'シジュウカラ', '박새', 'большая синица'])(
    'a name of another script, %s, is kept',
    (name) => {
      expect(speciesKey(name)).toBe(name);
    },
  );

  test('any text, keyed twice or normalised before, gives the same key', () => {
    fc.assert(
      fc.property(text, (name) => {
        const key = speciesKey(name);
        expect(speciesKey(key)).toBe(key);
        expect(speciesKey(normaliseSpeciesName(name))).toBe(key);
      }),
      always,
    );
  });

  test('every character, alone between letters, gives a key that is its own key', () => {
    const unstable: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const key = speciesKey(`a${String.fromCodePoint(code)}b`);
      if (speciesKey(key) !== key) unstable.push(code.toString(16));
    }
    expect(unstable).toEqual([]);
  });

  test('any text, unless blank, has a key', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(speciesKey(name) === '').toBe(normaliseSpeciesName(name) === '');
      }),
      always,
    );
  });
});

describe('labelCandidates', () => {
  test.each([
    ['Great_Tit', ['great tit']],
    ['Parus major_Great Tit', ['parus major great tit', 'great tit', 'parus major']],
    ['Great Tit (Parus major)', ['great tit (parus major)', 'great tit', 'parus major']],
    ['Parus major (Great Tit)', ['parus major (great tit)', 'parus major', 'great tit']],
    ['Tit, Great', ['tit, great', 'great tit']],
    ['012.Yellow_headed_Blackbird', ['012.yellow headed blackbird', 'yellow headed blackbird']],
    [
      'Dark-eyed Junco (Slate-colored)',
      ['dark eyed junco (slate colored)', 'slate colored junco', 'dark eyed junco'],
    ],
    ['downy_woodpecker_male', ['downy woodpecker male', 'downy woodpecker']],
    ['female Northern Cardinal', ['female northern cardinal', 'northern cardinal']],
    ['Mallard - Adult Male', ['mallard adult male', 'mallard']],
    ['', ['']],
  ])('a label, %s, gives its spellings from the whole to the least', (label, keys) => {
    expect(labelCandidates(label)).toEqual(keys);
  });

  test.each([
    ['Northern Cardinal (Adult Male)', 'northern cardinal'],
    ['House Finch (Female/immature)', 'house finch'],
    ['House Finch, male', 'house finch'],
    ['American Goldfinch (Breeding Male)', 'american goldfinch'],
    ['american_goldfinch_nonbreeding_male', 'american goldfinch'],
    ['Northern_Flicker_(Yellow-shafted)', 'yellow shafted flicker'],
    ['Junco hyemalis_Dark-eyed Junco (Slate-colored)', 'slate colored junco'],
    ['Cardinalis cardinalis_Northern Cardinal (Female)', 'northern cardinal'],
    ['Rock Pigeon (Feral Pigeon)', 'feral pigeon'],
    ['Junco, Dark-eyed (Slate-colored)', 'dark eyed junco'],
  ])('a label with particulars, %s, comes down to the bird', (label, key) => {
    expect(labelCandidates(label)).toContain(key);
  });

  test.each([
    ['Tricolored Blackbird (Male)', 'blackbird'],
    ['Pacific Wren (Winter)', 'winter wren'],
    ['Black Cuckoo (Female/immature)', 'cuckoo'],
  ])('a label, %s, never comes down to another bird, %s', (label, key) => {
    expect(labelCandidates(label)).not.toContain(key);
  });

  test.each(['Winter Wren', 'Summer Tanager', 'Blue Jay'])(
    'a name of plain words, %s, is its only key',
    (name) => {
      expect(labelCandidates(name)).toEqual([speciesKey(name)]);
    },
  );

  test('any label, first of all, is known by its own key, and no key comes twice', () => {
    fc.assert(
      fc.property(text, (label) => {
        const keys = labelCandidates(label);
        expect(keys[0]).toBe(speciesKey(label));
        expect(new Set(keys).size).toBe(keys.length);
      }),
      always,
    );
  });
});

describe('isGenericSpecies', () => {
  test.each([...GENERIC_SPECIES, ' bird', 'UNKNOWN'])('%s, is generic', (name) => {
    expect(isGenericSpecies(name)).toBe(true);
  });

  test.each(['Great Tit', 'Blackbird', 'Bird of prey', ''])('%j, is not generic', (name) => {
    expect(isGenericSpecies(name)).toBe(false);
  });
});
