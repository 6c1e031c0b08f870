import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { ChangeNotifier } from '@birdhub/shared/db';
import { lockClasses } from '@birdhub/shared/db';
import { commit, outboxRow, type WriteTransaction } from '@birdhub/shared/outbox';
import type pg from 'pg';

/** Dependencies of {@link ActiveSpeciesStore}. */
export interface ActiveSpeciesDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly notifier: ChangeNotifier;
}

/** The species that processors look for. */
export class ActiveSpeciesStore {
  readonly #deps: ActiveSpeciesDeps;

  constructor(deps: ActiveSpeciesDeps) {
    this.#deps = deps;
  }

  /** Sets the active species and returns their names; an empty list changes nothing. */
  async replace(labels: readonly string[], requestId: string): Promise<string[]> {
    const { pool, directory } = this.#deps;
    if (!labels.length) return listActive(pool);
    const ids = [...new Set((await directory.resolve(labels)).values())].sort((a, b) => a - b);
    const write = async ({ client, publish, changed }: WriteTransaction) => {
      await client.query(
        'UPDATE species SET active = (id = ANY ($1)) WHERE active IS DISTINCT FROM (id = ANY ($1))',
        [ids],
      );
      const payload = { active_names: ids.length, species_ids: ids };
      publish(outboxRow('hub.v1.species.activated', 'species', payload, requestId));
      changed({ kind: 'species' });
      return listActive(client);
    };
    return commit(this.#deps, write, begin);
  }
}

/** Serialises replacements, as concurrent ones would mix both sets. */
const begin = `BEGIN; SELECT pg_advisory_xact_lock(${lockClasses.activeSpecies}, 0)`;

async function listActive(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM species WHERE active ORDER BY name',
  );
  return rows.map((row) => row.name);
}
