import type { Assignment } from '../assign-labels.js';
import type { Catalogue } from '../catalogue.js';
import type { KnownNames, NamedSpecies } from '../find-label.js';
import type { Region } from '../region.js';
import { genericLabels, genericSpecies, speciesKey } from '../species-names.js';

/** Species and their names, kept in memory instead of the database. */
export class MemoryNames implements KnownNames {
  readonly region: Region;
  readonly #species = new Map<number, NamedSpecies>();
  readonly #keys = new Map<string, number>();
  readonly #codes = new Map<string, number>();
  #lastId = 0;

  constructor(region: Region) {
    this.region = region;
  }

  /** Returns the species of a new hub. */
  static ofCatalogue({ families, species, forms, animals, noises }: Catalogue, region: Region): MemoryNames {
    const names = new MemoryNames(region);
    const add = (row: Partial<NamedSpecies> & { name: string }, aliases: readonly string[] = []) =>
      names.#add(names.#nextId(), { ...blank, ...row }, [
        row.name,
        row.scientificName ?? row.name,
        ...aliases,
      ]);
    for (const name of genericSpecies) add({ name, generic: true }, genericLabels[name]);
    for (const name of ['Other animals', 'Noise']) add({ name });
    const birds = names.speciesOfKey('birds') ?? null;
    for (const { name, englishName } of families) {
      // The English name of a monotypic family is that of its species, which keeps it.
      const isTaken = species.some((one) => one.name === englishName);
      add({ name: isTaken ? name : englishName, scientificName: name, parentId: birds });
    }
    for (const { name, scientificName, ebirdCode, family, aliases, translations } of species) {
      const parentId = names.speciesOfKey(speciesKey(family)) ?? null;
      add({ name, scientificName, ebirdCode, parentId }, [...aliases, ...Object.values(translations)]);
    }
    for (const { name, parent, scientificName = null, ebirdCode = null } of forms) {
      add({ name, scientificName, ebirdCode, parentId: names.speciesOfKey(speciesKey(parent)) ?? null });
    }
    for (const { name, parent, scientificName = null, aliases } of [...animals, ...noises])
      add({ name, scientificName, parentId: names.speciesOfKey(speciesKey(parent)) ?? null }, aliases);
    return names;
  }

  get size(): number {
    return this.#species.size;
  }

  speciesOfKey(key: string): number | undefined {
    return this.#keys.get(key);
  }

  speciesOfCode(code: string): number | undefined {
    return this.#codes.get(code);
  }

  node(id: number): NamedSpecies | undefined {
    return this.#species.get(id);
  }

  /** Returns the scientific name of a species; for a form, that of its species. */
  scientificNameOf(id: number): string | undefined {
    const own = this.#species.get(id);
    const parent = own?.parentId == null ? undefined : this.#species.get(own.parentId);
    const isForm = parent?.ebirdCode != null;
    return (isForm ? parent : own)?.scientificName ?? undefined;
  }

  /** Applies an assignment of labels. */
  write({ created, completed, aliases, merges }: Assignment): void {
    const ids = new Map(created.map(({ id }) => [id, this.#nextId()]));
    const idOf = (id: number) => ids.get(id) ?? id;
    for (const { id, parentId, ...row } of created)
      this.#add(
        idOf(id),
        { ...row, generic: false, parentId: parentId === null ? null : idOf(parentId) },
        [],
      );
    for (const { id, ...row } of completed) this.#add(id, { ...blank, ...this.#species.get(id), ...row }, []);
    for (const [key, id] of aliases) if (!this.#keys.has(key)) this.#keys.set(key, idOf(id));
    for (const { from, into } of merges) {
      for (const [key, id] of this.#keys) if (id === from) this.#keys.set(key, into);
      this.#species.delete(from);
    }
  }

  /** Returns a copy that can be changed. */
  copy(): MemoryNames {
    const names = new MemoryNames(this.region);
    names.#lastId = this.#lastId;
    for (const [id, species] of this.#species) names.#species.set(id, species);
    for (const [key, id] of this.#keys) names.#keys.set(key, id);
    for (const [code, id] of this.#codes) names.#codes.set(code, id);
    return names;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #add(
    id: number,
    { name, parentId, generic, scientificName, ebirdCode }: NamedSpecies,
    names: readonly string[],
  ) {
    this.#species.set(id, { name, parentId, generic, scientificName, ebirdCode });
    if (ebirdCode !== null && !this.#codes.has(ebirdCode)) this.#codes.set(ebirdCode, id);
    for (const key of names.map(speciesKey)) if (!this.#keys.has(key)) this.#keys.set(key, id);
  }
}

const blank = { name: '', parentId: null, generic: false, scientificName: null, ebirdCode: null };
