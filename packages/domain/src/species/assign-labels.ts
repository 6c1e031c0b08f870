import type { ChecklistSource } from './checklist-file.js';
import { isSameEpithet, otherScientificKeys } from './earlier-names.js';
import {
  findLabel,
  findScientific,
  isNameless,
  isSameBird,
  type KnownNames,
  type NamedSpecies,
  orientReading,
} from './find-label.js';
import type { LabelReading } from './labels.js';
import { type Region, regionalKey } from './region.js';
import { speciesKey } from './species-names.js';

/** A species of a checklist. */
export interface ChecklistSpecies {
  /** The checklist that lists it. */
  readonly source: ChecklistSource;
  readonly scientificName: string;
  /** The English name that the hub shows. */
  readonly name: string;
  readonly ebirdCode: string | null;
  /** Scientific and English name of its family. */
  readonly family: string | null;
  readonly familyName: string | null;
  /** The keys of all its names. */
  readonly keys: readonly string[];
}

/** The species of the checklists to which unknown labels may refer. */
export interface KnownChecklists {
  /** Returns the species of a name; undefined when it is unknown or ambiguous. */
  speciesOfKey(key: string): ChecklistSpecies | undefined;
}

/** A species to be created; its id is a negative placeholder. */
export interface NewSpecies {
  readonly id: number;
  readonly name: string;
  readonly rank: 'species' | 'family';
  readonly scientificName: string | null;
  readonly ebirdCode: string | null;
  readonly parentId: number | null;
  /** The checklist that lists it; null when none does. */
  readonly source: ChecklistSource | null;
}

/** New properties of a species that was created from a label. */
export interface CompletedSpecies {
  readonly id: number;
  readonly name: string;
  readonly scientificName: string;
  readonly ebirdCode: string | null;
}

/** The changes that are needed so that each label means a species. */
export interface Assignment {
  readonly created: readonly NewSpecies[];
  readonly completed: readonly CompletedSpecies[];
  readonly aliases: ReadonlyMap<string, number>;
  /** Species that a pair of names showed to be the same as another one. */
  readonly merges: readonly { readonly from: number; readonly into: number }[];
  /** Whether labels were left out for lack of room. */
  readonly isFull: boolean;
}

/** How much may be added. Species of checklists are always added, as there is a limited number of them. */
export interface LabelRoom {
  readonly species: number;
  readonly names: number;
}

const unlimited: LabelRoom = { species: Number.POSITIVE_INFINITY, names: Number.POSITIVE_INFINITY };

/** Returns all keys under which a label may be found among species or in checklists. */
export function keysOfReading(
  { key, pair, keys, binomialKey, splitKey, looseKeys, reversed }: LabelReading,
  region: Region,
): string[] {
  const own = [
    key,
    ...(pair ? [pair.scientificKey, ...pair.commonKeys] : []),
    ...(reversed?.pair ? [reversed.pair.scientificKey, ...reversed.pair.commonKeys] : []),
    ...keys,
    ...[binomialKey, splitKey].flatMap((one) => one ?? []),
  ];
  const regional = [...keys, ...(pair ? [pair.scientificKey] : [])].flatMap(
    (one) => regionalKey(one, region) ?? [],
  );
  const earlier = [...own, ...regional].flatMap((one) => otherScientificKeys(one));
  return [...new Set([...own, ...regional, ...earlier, ...looseKeys.map((loose) => loose.key)])];
}

/** Assigns each label to a known or new species, as long as there is room. */
export function assignLabels(
  readings: readonly LabelReading[],
  names: KnownNames,
  checklists: KnownChecklists,
  room = unlimited,
): Assignment & KnownNames {
  const draft = new Draft(names, checklists, room);
  // Pairs come first, because they connect names that other labels use separately.
  for (const reading of readings) if (reading.pair) draft.assign(reading);
  for (const reading of readings) if (!reading.pair) draft.assign(reading);
  return draft;
}

/** The properties that complete a species. */
type Completion = Pick<ChecklistSpecies, 'name' | 'scientificName' | 'ebirdCode'>;

class Draft implements Assignment, KnownNames {
  readonly created: NewSpecies[] = [];
  readonly aliases = new Map<string, number>();
  readonly merges: { from: number; into: number }[] = [];
  isFull = false;
  readonly #mergedInto = new Map<number, number>();
  readonly #completed = new Map<number, CompletedSpecies>();
  readonly #names: KnownNames;
  readonly #checklists: KnownChecklists;
  readonly #createdById = new Map<number, NewSpecies>();
  readonly #codes = new Map<string, number>();
  readonly #room: LabelRoom;

  constructor(names: KnownNames, checklists: KnownChecklists, room: LabelRoom) {
    this.#names = names;
    this.#checklists = checklists;
    this.#room = room;
  }

  get completed(): readonly CompletedSpecies[] {
    return [...this.#completed.values()];
  }

  get region() {
    return this.#names.region;
  }

  speciesOfKey(key: string): number | undefined {
    const own = this.aliases.get(key) ?? this.#names.speciesOfKey(key);
    return own === undefined ? undefined : (this.#mergedInto.get(own) ?? own);
  }

  speciesOfCode(code: string): number | undefined {
    return this.#codes.get(code) ?? this.#names.speciesOfCode(code);
  }

  node(id: number): NamedSpecies | undefined {
    const created = this.#createdById.get(id);
    const known = created ? { ...created, generic: false } : this.#names.node(id);
    const completed = this.#completed.get(id);
    return known && completed ? { ...known, ...completed } : known;
  }

  assign(given: LabelReading): void {
    const found = findLabel(given, this);
    if (found?.isLearned) return;
    const reading = orientReading(given, (key) => this.#isScientific(key));
    const listed = found?.by === 'subspecies' ? this.#findSplit(reading) : this.#findListed(reading);
    const isListed = listed !== undefined && (found === undefined || found.by === 'subspecies');
    const known = isListed ? this.#speciesOf(listed) : found?.id;
    if (!this.#hasRoom(known)) {
      this.isFull = true;
      return;
    }
    const id = known ?? this.#create(reading);
    if (!reading.pair) {
      if (this.speciesOfKey(reading.key) === undefined || findLabel(reading, this)?.id !== id)
        this.#claim(reading.key, id);
      return;
    }
    this.#learn(reading, reading.pair, id);
  }

  /** Returns whether there is room for a name of a species, and for the species if it is unknown. */
  #hasRoom(species: number | undefined): boolean {
    if (this.aliases.size >= this.#room.names) return false;
    return species !== undefined || this.created.length < this.#room.species;
  }

  /** Returns whether the hub or a checklist has a species with this scientific name. */
  #isScientific(key: string): boolean {
    const id = findScientific(key, this)?.id;
    return this.#ofScientific(key) !== undefined || (id !== undefined && !isNameless(this.node(id)));
  }

  #ofScientific(key: string | undefined): ChecklistSpecies | undefined {
    if (key === undefined) return undefined;
    for (const one of [key, ...otherScientificKeys(key)]) {
      const species = this.#checklists.speciesOfKey(one);
      if (species && speciesKey(species.scientificName) === one) return species;
    }
    return undefined;
  }

  /** Returns the species that a subspecies was split into, in its current or an earlier genus. */
  #findSplit({ splitKey, binomialKey }: LabelReading): ChecklistSpecies | undefined {
    if (splitKey === undefined) return undefined;
    const own = this.#ofScientific(splitKey);
    if (own) return own;
    const id = binomialKey === undefined ? undefined : findScientific(binomialKey, this)?.id;
    const species = (id === undefined ? undefined : this.node(id)) ?? this.#ofScientific(binomialKey);
    const [genus = ''] = speciesKey(species?.scientificName ?? '').split(' ');
    return this.#ofScientific(`${genus} ${splitKey.split(' ')[1]}`);
  }

  /** Returns the species of the checklists that a label means. */
  #findListed(reading: LabelReading): ChecklistSpecies | undefined {
    const { pair, keys, binomialKey, looseKeys } = reading;
    const listed = this.#checklists;
    const ofScientific = (key: string | undefined) => this.#ofScientific(key);
    if (pair) {
      const own =
        ofScientific(pair.scientificKey) ?? ofScientific(regionalKey(pair.scientificKey, this.region));
      if (own) return own;
      for (const key of pair.commonKeys) {
        const species = listed.speciesOfKey(key);
        if (species && isSameEpithet(pair.scientificName, species.scientificName)) return species;
      }
      return this.#findSplit(reading) ?? ofScientific(binomialKey);
    }
    for (const key of keys) {
      const species = listed.speciesOfKey(key) ?? ofScientific(key);
      if (species) return species;
    }
    for (const key of keys) {
      const species = ofScientific(regionalKey(key, this.region));
      if (species) return species;
    }
    const loose = () => looseKeys.map(({ key }) => listed.speciesOfKey(key)).find((one) => one !== undefined);
    return this.#findSplit(reading) ?? ofScientific(binomialKey) ?? loose();
  }

  /** Returns the species of a checklist entry; creates it and its family when missing. */
  #speciesOf(listed: ChecklistSpecies): number {
    const scientificKey = speciesKey(listed.scientificName);
    const byCode = listed.ebirdCode === null ? undefined : this.speciesOfCode(listed.ebirdCode);
    const known = findScientific(scientificKey, this)?.id ?? byCode ?? this.#findByName(listed);
    if (known !== undefined) {
      const node = this.node(known);
      if (isNameless(node)) this.#complete(known, listed);
      this.#claim(scientificKey, known);
      return known;
    }
    const parentId = this.#familyOf(listed);
    const ebirdCode = listed.ebirdCode;
    const { scientificName } = listed;
    const name = this.#freeName(listed.name, scientificName);
    // Ambiguous names must not become aliases.
    const keys = listed.keys.filter((key) => this.#checklists.speciesOfKey(key) === listed);
    const { source } = listed;
    const row = { name, rank: 'species', scientificName, ebirdCode, parentId, source } as const;
    return this.#add(row, [name, ...keys, scientificName]);
  }

  /** Finds a species that a label with one of its English names created before the checklist was loaded. */
  #findByName({ keys, scientificName }: ChecklistSpecies): number | undefined {
    return keys
      .filter((key) => this.#checklists.speciesOfKey(key)?.scientificName === scientificName)
      .map((key) => this.speciesOfKey(key))
      .find((id) => id !== undefined && isSameBird(scientificName, this.node(id)));
  }

  /**
   * Returns the family of a checklist entry; creates it when missing. Its English name does not become an alias, because
   * monotypic families share it with their species.
   */
  #familyOf({ source, family, familyName, keys }: ChecklistSpecies): number | null {
    const root = this.speciesOfKey('birds') ?? null;
    if (family === null) return root;
    const known = this.speciesOfKey(speciesKey(family));
    if (known !== undefined) return known;
    const isShown = familyName !== null && !keys.includes(speciesKey(familyName));
    const name = isShown ? familyName : family;
    const row = {
      name,
      rank: 'family',
      scientificName: family,
      ebirdCode: null,
      parentId: root,
      source,
    } as const;
    return this.#add(row, [family]);
  }

  /** Creates a species of which only the label is known. */
  #create({ pair, name: spelled }: LabelReading): number {
    const scientificName = pair?.scientificName ?? null;
    const name = scientificName === null ? spelled : this.#freeName(spelled, scientificName);
    const names = [name, ...(scientificName === null ? [] : [scientificName])];
    const row = {
      name,
      rank: 'species',
      scientificName,
      ebirdCode: null,
      parentId: null,
      source: null,
    } as const;
    return this.#add(row, names);
  }

  #add(row: Omit<NewSpecies, 'id'>, names: readonly string[]): number {
    const species = { ...row, id: -1 - this.created.length };
    this.created.push(species);
    this.#createdById.set(species.id, species);
    if (row.ebirdCode !== null) this.#codes.set(row.ebirdCode, species.id);
    for (const name of names) this.#claim(speciesKey(name), species.id);
    return species.id;
  }

  /** Appends the scientific name when another species has the same name. */
  #freeName(name: string, scientificName: string): string {
    const owner = this.speciesOfKey(speciesKey(name));
    return owner === undefined ? name : `${name} (${scientificName})`;
  }

  #claim(key: string, id: number): void {
    if (key !== '' && this.speciesOfKey(key) === undefined) this.aliases.set(key, id);
  }

  /** Completes a species; if it was created under its scientific name or a pair, it also gets its common name. */
  #complete(id: number, { name, scientificName, ebirdCode }: Completion, pairKey?: string): void {
    const node = this.node(id);
    if (!node || node.scientificName !== null || node.generic) return;
    const isFreeCode = ebirdCode !== null && this.speciesOfCode(ebirdCode) === undefined;
    const isLabel = [speciesKey(scientificName), pairKey].includes(speciesKey(node.name));
    const isFree = [id, undefined].includes(this.speciesOfKey(speciesKey(name)));
    const shown = isLabel && isFree && name !== '' ? name : node.name;
    const code = isFreeCode ? ebirdCode : node.ebirdCode;
    this.#completed.set(id, { id, name: shown, scientificName, ebirdCode: code });
    if (isFreeCode) this.#codes.set(ebirdCode, id);
  }

  /** Assigns both names of a pair, and the pair itself, to one species. */
  #learn(reading: LabelReading, pair: NonNullable<LabelReading['pair']>, id: number): void {
    this.#claim(pair.scientificKey, id);
    const main = pair.commonKeys.at(-1);
    const owner = main === undefined ? undefined : this.speciesOfKey(main);
    const target = this.#unify(reading, pair, id, owner);
    if (main !== undefined) this.#claim(main, target);
    const { commonName: name, scientificName } = pair;
    this.#complete(target, { name, scientificName, ebirdCode: null }, reading.key);
    const isRead = findLabel(reading, this)?.isLearned;
    if (!isRead || this.merges.length) this.#claim(reading.key, target);
  }

  /** Merges the two species to which the names of a pair referred before, unless they are known to differ. */
  #unify(
    reading: LabelReading,
    pair: NonNullable<LabelReading['pair']>,
    id: number,
    owner: number | undefined,
  ): number {
    if (owner === undefined || owner === id) return id;
    const [node, other] = [this.node(id), this.node(owner)];
    const isDecided = this.speciesOfKey(reading.key) !== undefined;
    if (isDecided || other?.parentId === id) return id;
    if (isNameless(other) && id > 0 && owner > 0) {
      this.#merge(owner, id);
      return id;
    }
    if (isNameless(node) && isSameBird(pair.scientificName, other) && id > 0 && owner > 0) {
      this.#merge(id, owner);
      return owner;
    }
    return id;
  }

  #merge(from: number, into: number): void {
    this.merges.push({ from, into });
    this.#mergedInto.set(from, into);
  }
}
