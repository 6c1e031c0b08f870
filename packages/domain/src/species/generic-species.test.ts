import { expect, test } from 'vitest';
import { GENERIC_SPECIES, isGenericSpecies } from './generic-species.js';

test.each([...GENERIC_SPECIES, ' bird', 'UNKNOWN'])('isGenericSpecies, given %s, is true', (name) => {
  expect(isGenericSpecies(name)).toBe(true);
});

test.each(['Great Tit', 'Blackbird', 'Bird of prey', ''])('isGenericSpecies, given %j, is false', (name) => {
  expect(isGenericSpecies(name)).toBe(false);
});
