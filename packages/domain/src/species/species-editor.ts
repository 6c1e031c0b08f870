import type { ChangeNotifier } from '@birdhub/shared/db';
import type pg from 'pg';
import type { SpeciesDirectory } from './directory.js';
import { type EditResult, editSpecies } from './edit-species.js';
import type { SpeciesPatch } from './edits.store.js';
import { type MergeResult, mergeSpecies } from './merge-species.js';
import { separateSpecies } from './separate-species.js';

/** What the editor works with. */
export interface SpeciesEditorDependencies {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly notifier: ChangeNotifier;
}

/** The only writer of what people say of species, and of what that does to detections and visits. */
export interface SpeciesEditor {
  /** @throws HubError species_not_found, invalid_request, conflict */
  edit(speciesId: number, patch: SpeciesPatch, requestId: string): Promise<EditResult>;
  /**
   * Makes a species another one: detections, visits, names and children are the other's from now on.
   * @throws HubError species_not_found, invalid_request, conflict
   */
  merge(speciesId: number, intoSpeciesId: number, requestId: string): Promise<MergeResult>;
  /** Takes a merge back. @throws HubError merge_not_found, conflict */
  separate(mergeId: number, requestId: string): Promise<MergeResult>;
}

/** The editor on one database. */
export function createSpeciesEditor(dependencies: SpeciesEditorDependencies): SpeciesEditor {
  return {
    edit: (speciesId, patch, requestId) => editSpecies(dependencies, speciesId, patch, requestId),
    merge: (speciesId, intoId, requestId) => mergeSpecies(dependencies, speciesId, intoId, requestId),
    separate: (mergeId, requestId) => separateSpecies(dependencies, mergeId, requestId),
  };
}
