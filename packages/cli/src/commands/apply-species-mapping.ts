import type { Options } from '@birdhub/launcher/options';
import { withDatabase } from './with-database.js';

const toldEvery = 6_000;

/** Applies the names of the settings to detections of the past; interrupted, it goes on when it is called again. */
export async function applySpeciesMapping(options: Options): Promise<number> {
  // Loaded only here: the database client is most of what the other commands would wait for.
  const { remapPast } = await import('./remap-past.js');
  const moved = await withDatabase(options, (databaseUrl) =>
    remapPast(databaseUrl, (detections) => {
      if (detections % toldEvery === 0) console.log(`${detections} detections so far`);
    }),
  );
  console.log(`Detections that are of another species now: ${moved}.`);
  return 0;
}
