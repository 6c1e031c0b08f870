import { createNaming } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import {
  normaliseSpeciesName,
  type SpeciesDirectory,
  SpeciesEditor,
  type SpeciesPatch,
  speciesKey,
} from '@birdhub/domain/species';
import { type ChangeNotifier, inTransaction, lockKeys } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import { type ImportReport, requestId } from './import-report.js';
import { idOf, isTrue, type OldHub, type OldRow, textOf } from './old-hub.js';
import type { ReservedIds } from './reserved-ids.store.js';

/** Dependencies of {@link importSpecies}. */
export interface SpeciesImportDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly notifier: ChangeNotifier;
  readonly ids: ReservedIds;
  readonly report: ImportReport;
}

const maxNameLength = 200;

/** Adds the detected species of the old hub and their parents to the tree of this one. */
class SpeciesImporter {
  readonly #deps: SpeciesImportDeps;
  readonly #labelOf: (name: string) => string;
  readonly #rows: ReadonlyMap<number, OldRow>;
  readonly #visited = new Set<number>();

  constructor(deps: SpeciesImportDeps, labelOf: (name: string) => string, rows: readonly OldRow[]) {
    this.#deps = deps;
    this.#labelOf = labelOf;
    this.#rows = new Map(rows.flatMap((row) => withId(row)));
  }

  /** Returns the new id; undefined for a species without a name or with a cycle among its ancestors. */
  async import(oldId: number): Promise<number | undefined> {
    const row = this.#rows.get(oldId);
    const name = row && textOf(row, 'name', maxNameLength);
    if (!row || name === undefined) return undefined;
    const label = this.#labelOf(name);
    const { directory } = this.#deps;
    const known = (await directory.tree()).find(label);
    if (known !== undefined || this.#visited.has(oldId)) return known;
    this.#visited.add(oldId);
    const parentOldId = idOf(row, 'parent_id');
    const parentId = parentOldId === undefined ? undefined : await this.import(parentOldId);
    return this.#add(oldId, label, row, parentId);
  }

  async #add(
    oldId: number,
    label: string,
    row: OldRow,
    parentId: number | undefined,
  ): Promise<number | undefined> {
    const { pool, directory, ids, report } = this.#deps;
    if (ids.has('species', oldId)) {
      await addSpeciesAs(pool, oldId, label);
      directory.forget();
    }
    const id = (await directory.resolve([label])).get(label);
    if (id === undefined) return undefined;
    report.count('species');
    await this.#describe(id, row, parentId);
    return id;
  }

  async #describe(id: number, row: OldRow, parentId: number | undefined): Promise<void> {
    const image = textOf(row, 'image_url', 2_000);
    const description = textOf(row, 'description');
    const patch: SpeciesPatch = {
      active: isTrue(row, 'active'),
      ...(parentId !== undefined && { parentId }),
      ...(image?.startsWith('https://') && { imageUrl: image }),
      ...(description !== undefined && { description }),
    };
    try {
      await new SpeciesEditor(this.#deps).edit(id, patch, requestId);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      this.#deps.report.skip(`details of a species: ${error.message}`, textOf(row, 'name'));
    }
  }
}

function withId(row: OldRow): [number, OldRow][] {
  const id = idOf(row, 'id');
  return id === undefined ? [] : [[id, row]];
}

/** Adds missing species that were detected; returns the names of all species by their old ids. */
export async function importSpecies(old: OldHub, deps: SpeciesImportDeps): Promise<Map<number, string>> {
  const { rows, detected } = old.readSpecies();
  const labelOf = createNaming(await deps.settings.current());
  const importer = new SpeciesImporter(deps, labelOf, rows);
  for (const oldId of detected) await importer.import(oldId);
  return new Map(
    rows.flatMap((row) => withId(row)).map(([id, row]) => [id, textOf(row, 'name', maxNameLength) ?? '']),
  );
}

const addSpeciesSql = `
  WITH added AS (
    INSERT INTO species (id, name) SELECT $1, $2
    WHERE NOT EXISTS (SELECT FROM species_alias WHERE key = $3) AND NOT EXISTS (SELECT FROM species WHERE id = $1)
    RETURNING id)
  INSERT INTO species_alias (key, species_id) SELECT $3, id FROM added`;

/** Adds a species under an id, unless the id or the name is taken. */
function addSpeciesAs(pool: pg.Pool, id: number, name: string): Promise<unknown> {
  return inTransaction(
    pool,
    (client) => client.query(addSpeciesSql, [id, normaliseSpeciesName(name), speciesKey(name)]),
    `BEGIN; SELECT pg_advisory_xact_lock(${lockKeys.speciesNames})`,
  );
}
