import type { FamilyName } from './catalogue-families.js';

/** English name, scientific name, eBird code, then other names in use that mean no other bird here. */
export type SpeciesRow = readonly [
  name: string,
  scientificName: string,
  ebirdCode: string,
  ...aliases: string[],
];

/** Species rows by family. */
export type SpeciesTable = Partial<Record<FamilyName, readonly SpeciesRow[]>>;

/** A kind below a species that a camera tells apart; the subspecies only where it is a single one. */
export interface FormRow {
  readonly name: string;
  readonly parent: string;
  readonly scientificName?: string;
  readonly ebirdCode?: string;
}
