import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../packages/domain/src/species/catalogue';
import { groupRoots } from '../../../packages/domain/src/species/species-group';
import { genericSpecies } from '../../../packages/domain/src/species/species-names';
import de from './species-names/de.json';
import es from './species-names/es.json';
import fr from './species-names/fr.json';
import it from './species-names/it.json';
import nl from './species-names/nl.json';
import pl from './species-names/pl.json';
import ru from './species-names/ru.json';

const { families, species, forms, animals, noises } = catalogue();
const known = new Set<string>([
  ...genericSpecies,
  ...groupRoots,
  ...animals.map(({ name }) => name),
  ...noises.map(({ name }) => name),
  ...families.map((family) => family.englishName),
  ...species.map(({ name }) => name),
  ...forms.map(({ name }) => name),
]);

describe.each(Object.entries({ de, ru, fr, es, it, nl, pl }))('names in %s', (_language, names) => {
  test('all keys, are in the catalogue', () => {
    expect(Object.keys(names).filter((name) => !known.has(name))).toEqual([]);
  });

  test('all names, are trimmed and unique', () => {
    const texts = Object.values(names);
    expect(texts.filter((text, at) => text.trim() !== text || texts.indexOf(text) !== at)).toEqual([]);
  });

  test('common birds, groups and generic species, have names', () => {
    const common = ['Great Tit', 'House Sparrow', 'Eurasian Blackbird', 'European Robin', 'Blue Jay'];
    expect([...common, ...groupRoots, ...genericSpecies].filter((name) => !(name in names))).toEqual([]);
  });

  test('families of named birds, have names', () => {
    const named = new Set(species.filter(({ name }) => name in names).map(({ family }) => family));
    const missing = families.filter(({ name, englishName }) => named.has(name) && !(englishName in names));
    expect(missing.map(({ englishName }) => englishName)).toEqual([]);
  });
});
