import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { ChangeNotifier } from '@birdhub/shared/db';
import { inTransaction, lockClasses } from '@birdhub/shared/db';
import { outboxRow, writeOutbox } from '@birdhub/shared/outbox';
import type pg from 'pg';

/** What replacing the active species works with. */
export interface ActiveSpeciesDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly notifier: ChangeNotifier;
}

/** The set of species that processors look for. */
export class ActiveSpeciesStore {
  readonly #deps: ActiveSpeciesDeps;

  constructor(deps: ActiveSpeciesDeps) {
    this.#deps = deps;
  }

  /** Makes exactly these species active and returns their names; an empty list changes nothing. */
  async replace(
    labels: readonly string[],
    requestId: string,
  ): Promise<{ names: string[]; token: string | undefined }> {
    const { pool, directory, notifier } = this.#deps;
    if (!labels.length) return { names: await listActive(pool), token: undefined };
    const ids = [...new Set((await directory.resolve(labels)).values())].sort((a, b) => a - b);
    const write = async (client: pg.ClientBase) => {
      await client.query(
        'UPDATE species SET active = (id = ANY ($1)) WHERE active IS DISTINCT FROM (id = ANY ($1))',
        [ids],
      );
      const payload = { active_names: ids.length, species_ids: ids };
      await writeOutbox(client, [outboxRow('hub.v1.species.activated', 'species', payload, requestId)]);
      return listActive(client);
    };
    const names = await inTransaction(pool, write, begin);
    return { names, token: notifier.notify({ kind: 'species' }) };
  }
}

/** Serialises replacements: two at once would leave some of both sets. */
const begin = `BEGIN; SELECT pg_advisory_xact_lock(${lockClasses.activeSpecies}, 0)`;

async function listActive(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM species WHERE active ORDER BY name',
  );
  return rows.map((row) => row.name);
}
