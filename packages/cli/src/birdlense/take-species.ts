import { createNaming } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import { createSpeciesEditor, type SpeciesPatch } from '@birdhub/domain/species';
import type { Bell } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { ReservedIds } from './ids.store.js';
import type { ImportReport } from './import-report.js';
import { requestId } from './import-request.js';
import type { OldHub } from './old-hub.js';
import { idOf, isTrue, type OldRow, textOf } from './old-rows.js';
import { addSpeciesAs } from './species.store.js';

/** What species are taken with. */
export interface SpeciesTaking {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly bell: Bell;
  readonly ids: ReservedIds;
  readonly report: ImportReport;
}

const longestName = 200;

/** Gives species of the old hub that were seen, and their parents, a place in the tree of this one. */
class SpeciesTaker {
  readonly #taking: SpeciesTaking;
  readonly #labelOf: (name: string) => string;
  readonly #rows: ReadonlyMap<number, OldRow>;
  readonly #asked = new Set<number>();

  constructor(taking: SpeciesTaking, labelOf: (name: string) => string, rows: readonly OldRow[]) {
    this.#taking = taking;
    this.#labelOf = labelOf;
    this.#rows = new Map(rows.flatMap((row) => withId(row)));
  }

  /** The id here; undefined for a species without a name, and for one that is its own ancestor. */
  async take(oldId: number): Promise<number | undefined> {
    const row = this.#rows.get(oldId);
    const name = row && textOf(row, 'name', longestName);
    if (!row || name === undefined) return undefined;
    const label = this.#labelOf(name);
    const { directory } = this.#taking;
    const known = (await directory.tree()).find(label);
    if (known !== undefined || this.#asked.has(oldId)) return known;
    this.#asked.add(oldId);
    const parentOldId = idOf(row, 'parent_id');
    const parentId = parentOldId === undefined ? undefined : await this.take(parentOldId);
    return this.#add(oldId, label, row, parentId);
  }

  async #add(
    oldId: number,
    label: string,
    row: OldRow,
    parentId: number | undefined,
  ): Promise<number | undefined> {
    const { pool, directory, ids, report } = this.#taking;
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
      await createSpeciesEditor(this.#taking).edit(id, patch, requestId);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      this.#taking.report.skip(`what is known of a species: ${error.message}`, textOf(row, 'name'));
    }
  }
}

function withId(row: OldRow): [number, OldRow][] {
  const id = idOf(row, 'id');
  return id === undefined ? [] : [[id, row]];
}

/** Adds the species that were seen and that this hub does not know; answers the names of all by their old ids. */
export async function takeSpecies(old: OldHub, taking: SpeciesTaking): Promise<Map<number, string>> {
  const { rows, detected } = old.readSpecies();
  const labelOf = createNaming(await taking.settings.current());
  const taker = new SpeciesTaker(taking, labelOf, rows);
  for (const oldId of detected) await taker.take(oldId);
  return new Map(
    rows.flatMap((row) => withId(row)).map(([id, row]) => [id, textOf(row, 'name', longestName) ?? '']),
  );
}
