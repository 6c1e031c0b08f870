import { parseLine } from './catalogue.js';
import { rootNames } from './species-group.js';
import { genericLabels, genericSpecies, normaliseSpeciesName, speciesKey } from './species-names.js';

/** An error in the catalogue file. */
export interface CatalogueMistake {
  /** 1-based, including the header. */
  readonly line: number;
  readonly message: string;
}

const columns =
  'rank,name,scientific_name,ebird_code,parent,other_names,' +
  'german_name,russian_name,french_name,spanish_name,italian_name,dutch_name,polish_name';
const columnCount = columns.split(',').length;
const ranks = ['family', 'species', 'form', 'animal', 'noise'];
const code = /^(?:[a-z]{3,7}\d{0,2}|[xyt]\d{5})$/u;
const scientificForms: Readonly<Record<string, RegExp>> = {
  family: /^[A-Z][a-z]+idae$/u,
  species: /^[A-Z][a-z]+ [a-z]+$/u,
  form: /^(?:[A-Z][a-z]+ [a-z]+ [a-z]+)?$/u,
};

const ranksAbove: Readonly<Record<string, readonly string[]>> = {
  species: ['family'],
  form: ['species'],
  animal: ['root', 'animal'],
  noise: ['root', 'noise'],
};

/** Checks the lines of the catalogue file, and that each name is unique. */
export function checkCatalogue(text: string): CatalogueMistake[] {
  const [header = '', ...lines] = text.trimEnd().split(/\r?\n/u);
  if (header !== columns) return [{ line: 1, message: `must be ${columns}` }];
  const reserved = [...genericSpecies, ...Object.values(genericLabels).flat(), ...Object.values(rootNames)];
  const owners = new Map(reserved.map((name) => [speciesKey(name), 0]));
  const rankOf = new Map(Object.values(rootNames).map((name) => [name, 'root']));
  const codes = new Map<string, number>();
  const familyLines = new Set<number>();
  const mistakes: CatalogueMistake[] = [];
  for (const [at, row] of lines.entries()) {
    const line = at + 2;
    const add = (message: string) => void mistakes.push({ line, message });
    const cells = parseLine(row);
    const [rank = '', name = '', scientific = '', ebird = '', parent = '', others = '', ...translated] =
      cells;
    if (cells.length !== columnCount) {
      add(`has ${cells.length} cells instead of ${columnCount}; a name with a comma must be quoted`);
      continue;
    }
    if (!ranks.includes(rank)) add(`has the rank ${rank}, which is not one of ${ranks.join(', ')}`);
    if (name === '') add('has no name');
    if (scientificForms[rank]?.test(scientific) === false)
      add(`has the invalid scientific name ${scientific}`);
    if (ebird !== '' && !code.test(ebird)) add(`has the invalid eBird code ${ebird}`);
    const above = rankOf.get(parent) ?? '';
    if (ranksAbove[rank]?.includes(above) === false)
      add(`has the parent ${parent || '(none)'}, which no earlier line defines`);
    const before = codes.get(ebird);
    if (ebird !== '' && before !== undefined) add(`has the same eBird code ${ebird} as line ${before}`);
    codes.set(ebird, line);
    rankOf.set(rank === 'family' ? scientific : name, rank);
    if (rank === 'family') familyLines.add(line);
    // Translated names of families are for display only, not for labels.
    const labels = [name, scientific, ...others.split(';'), ...(rank === 'family' ? [] : translated)];
    for (const label of labels.filter((one) => one !== '')) {
      if (normaliseSpeciesName(label) !== label) add(`has extra spaces around or within ${label}`);
      const owner = owners.get(speciesKey(label));
      // A monotypic family has the name of its species.
      const isOnly = label === name && familyLines.has(owner ?? 0);
      if (owner !== undefined && owner !== line && !isOnly)
        add(`has the same name ${label} as ${owner === 0 ? 'a built-in species' : `line ${owner}`}`);
      else owners.set(speciesKey(label), line);
    }
  }
  return mistakes;
}
