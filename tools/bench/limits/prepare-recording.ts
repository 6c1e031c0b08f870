import type { NewRecording } from '../run/recording-body.js';

/** A recording as parameters of the statements. */
export interface PreparedRecording {
  /** Opens a transaction and locks the species, in one round trip. */
  readonly begin: string;
  /** Parameters of the recording's rows. */
  readonly rows: readonly unknown[];
  /** The distinct species. */
  readonly species: readonly number[];
  /** Parameters of the visits: first start, last end and number of detections of each species. */
  readonly spans: readonly unknown[];
}

/** Different from the lock classes of the hub. */
const lockClass = 7299;

const at = (start: number, seconds: number) => new Date(start + seconds * 1000).toISOString();

/** Prepares the parameters of the statements; `idOf` contains the ids of the species by name. */
export function prepareRecording(
  { camera_id, video_path, start_time, end_time, species: posted }: NewRecording,
  idOf: ReadonlyMap<string, number>,
): PreparedRecording {
  const start = Date.parse(start_time);
  const ids = posted.map((row) => idOf.get(row.species_name) ?? Number.NaN);
  const lows = posted.map((row) => at(start, row.start_time));
  const highs = posted.map((row) => at(start, row.end_time));
  const confidences = posted.map((row) => row.confidence);
  const names = posted.map((row) => row.species_name);
  const frames = posted.map((row) => row.frames);
  const species = [...new Set(ids)].sort((a, b) => a - b);
  const own = (times: readonly string[], id: number) => times.filter((_, index) => ids[index] === id).sort();
  const locks = species.map((id) => `pg_advisory_xact_lock(${lockClass}, ${id})`);
  return {
    begin: `BEGIN; SELECT ${locks.join(', ')}`,
    rows: [
      camera_id,
      `limit/${video_path}`,
      start_time,
      end_time,
      ids,
      lows,
      highs,
      confidences,
      names,
      frames,
    ],
    species,
    spans: [
      species.map((id) => own(lows, id)[0]),
      species.map((id) => own(highs, id).at(-1)),
      species.map((id) => own(lows, id).length),
    ],
  };
}
