import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../packages/domain/src/species/catalogue';
import { groupRoots } from '../../../packages/domain/src/species/species-group';
import { GENERIC_SPECIES } from '../../../packages/domain/src/species/species-names';
import de from './species-names/de.json';
import ru from './species-names/ru.json';

const { families, species, forms, animals, noises } = catalogue();
const known = new Set<string>([
  ...GENERIC_SPECIES,
  ...groupRoots,
  ...animals.map(({ name }) => name),
  ...noises.map(({ name }) => name),
  ...families.map((family) => family.englishName),
  ...species.map(({ name }) => name),
  ...forms.map(({ name }) => name),
]);

describe.each(Object.entries({ de, ru }))('names in %s', (_language, names) => {
  it('every name, stands at one of the catalogue', () => {
    expect(Object.keys(names).filter((name) => !known.has(name))).toEqual([]);
  });

  it('every name, means one bird only', () => {
    const texts = Object.values(names);
    expect(texts.filter((text, at) => text.trim() !== text || texts.indexOf(text) !== at)).toEqual([]);
  });

  it('the birds of every garden and the groups, are all named', () => {
    const common = ['Great Tit', 'House Sparrow', 'Eurasian Blackbird', 'European Robin', 'Blue Jay'];
    const groups = [...groupRoots, ...families.map((family) => family.englishName)];
    expect([...common, ...groups].filter((name) => !(name in names))).toEqual([]);
  });
});
