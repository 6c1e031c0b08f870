import type { Options } from '@birdhub/launcher/options';
import { withDatabase } from './with-database.js';

/** Makes all visits and their rollups anew from the detections. */
export async function rebuildAllVisits(options: Options): Promise<number> {
  // Loaded only here: the database client is most of what the other commands would wait for.
  const { makeVisitsAnew } = await import('./make-visits-anew.js');
  const visits = await withDatabase(options, makeVisitsAnew);
  console.log(`Visits made anew: ${visits}.`);
  return 0;
}
