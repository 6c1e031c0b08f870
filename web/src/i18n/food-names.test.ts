import { expect, test } from 'vitest';
import corrections from '../../../packages/shared/prisma/migrations/20261121150000_corrections/migration.sql?raw';
import names from './food-names.json';
import { languages } from './languages';

const [, inserted = ''] = corrections.split('INSERT INTO bird_food');
const seeded = [...inserted.matchAll(/^ {2}\('([^']+)'/gm)].map(([, name]) => name);

test('the foods of a new hub, have names in each language', () => {
  const translated = Object.keys(languages).filter((language) => language !== 'en');
  expect(Object.keys(names).sort()).toEqual(translated.sort());
  for (const ofLanguage of Object.values(names)) {
    expect(Object.keys(ofLanguage)).toEqual(seeded);
    expect(new Set(Object.values(ofLanguage)).size).toBe(10);
  }
});
