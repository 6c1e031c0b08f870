import { toFileName } from '../file-name.js';

/** A species as it is known. */
export interface NamedSpecies {
  readonly speciesId: number;
  readonly speciesName: string;
}

const fold = (name: string) => name.normalize('NFKC').toLowerCase();

/** The folder of each species: its name, with its id where file systems would take two names for one. */
export function nameClasses(species: readonly NamedSpecies[]): Map<number, string> {
  const taken = new Set<string>();
  const names = new Map<number, string>();
  for (const { speciesId, speciesName } of [...species].sort(
    (one, other) => one.speciesId - other.speciesId,
  )) {
    let name = toFileName(speciesName);
    while (taken.has(fold(name))) name = `${name} (${speciesId})`;
    taken.add(fold(name));
    names.set(speciesId, name);
  }
  return names;
}
