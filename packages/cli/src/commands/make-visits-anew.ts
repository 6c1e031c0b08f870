import { createSpeciesDirectory } from '@birdhub/domain/species';
import { rebuildVisits } from '@birdhub/domain/visits';
import { withBell } from './with-bell.js';

/** Applies the visit rule to everything in a hub's database; answers how many visits there are. */
export function makeVisitsAnew(databaseUrl: string): Promise<number> {
  return withBell(databaseUrl, async ({ pool, bell }) => {
    const visits = await rebuildVisits(pool, createSpeciesDirectory(pool));
    bell.ring({ kind: 'everything' });
    return visits;
  });
}
