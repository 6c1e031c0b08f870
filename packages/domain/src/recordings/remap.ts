import type pg from 'pg';
import { requireLocks } from '../visits/locks.js';
import { maintainVisits, type WriterScope } from '../visits/maintain.js';
import { cover } from '../visits/rule.js';
import { createNaming } from './posted-detections.js';
import { recordingLock, visitsOfAdded } from './recording.js';
import { type ReviewedDetection, reviewedColumns, reviewedJoins } from './reviews.store.js';
import { announceRecordings, inWriterTransaction, type WriterDeps } from './writer-transaction.js';

/** Progress of a remap. */
export interface RemapProgress {
  /** The last detection that was checked; a later run can continue after it. */
  readonly lastId: number;
  readonly moved: number;
}

/** Options of a remap. */
export interface RemapOptions {
  /** Detections up to this id are skipped. */
  readonly afterId?: number;
  readonly signal?: AbortSignal;
  /** Called after the commit of each slice. */
  readonly onProgress?: (progress: RemapProgress) => Promise<void> | void;
}

/** Small enough that each recording can be locked individually, so that posts are not blocked. */
const sliceSize = 60;

/**
 * Assigns unreviewed detections to the species that their posted names now mean according to the settings and the
 * spellings of species. Works in slices, each in its own transaction, so that posts are not blocked.
 */
export async function remapDetections(
  deps: WriterDeps,
  { afterId = 0, signal, onProgress }: RemapOptions = {},
): Promise<RemapProgress> {
  const targets = await findTargets(deps);
  let progress: RemapProgress = { lastId: afterId, moved: 0 };
  while (!signal?.aborted) {
    const { lastId } = progress;
    const found = await listMisnamed(deps.pool, targets, { after: lastId, limit: sliceSize });
    const upTo = found.at(-1)?.id;
    if (upTo === undefined) break;
    const request = {
      videos: found.map(lockOf),
      species: found.flatMap(({ speciesId, targetId }) => [speciesId, targetId]),
    };
    const moved = await inWriterTransaction(deps, request, (scope) =>
      moveSlice(scope, targets, lastId, upTo),
    );
    progress = { lastId: upTo, moved: progress.moved + moved };
    await onProgress?.(progress);
  }
  return progress;
}

async function findTargets({ pool, settings, directory }: WriterDeps): Promise<NameTarget[]> {
  const labelOf = createNaming(await settings.current());
  const names = await listPostedNames(pool);
  const ids = await directory.resolve(names.map(labelOf));
  const tree = await directory.tree();
  return names.flatMap((name) => {
    const speciesId = ids.get(labelOf(name));
    // Stored detections have a visit, but noise must not have one.
    const isNoise = tree.nodes.get(speciesId ?? 0)?.group === 'noise';
    return speciesId === undefined || isNoise ? [] : [{ name, speciesId }];
  });
}

const lockOf = ({ cameraId, videoPath }: MisnamedDetection) => recordingLock(cameraId, videoPath);

async function moveSlice(scope: WriterScope, targets: readonly NameTarget[], after: number, upTo: number) {
  const detections = await listMisnamed(scope.client, targets, { after, upTo, limit: sliceSize });
  requireLocks(scope.locks, { videos: detections.map(lockOf) });
  if (!detections.length) return 0;
  const added = detections.map((detection) => ({ ...detection, speciesId: detection.targetId }));
  const maintained = await maintainVisits(scope, { removed: detections, added });
  const visits = visitsOfAdded(added, maintained);
  const places = added.map(({ id, speciesId }, at) => ({ id, species_id: speciesId, visit_id: visits[at] }));
  writePlaces(scope, places);
  const spans = detections.map((detection) => ({ start: detection.visitStart, end: detection.visitEnd }));
  announceRecordings(scope, cover([...maintained.touched, ...spans]));
  return detections.length;
}

/** The species that a posted name now means. */
interface NameTarget {
  readonly name: string;
  readonly speciesId: number;
}

/** A detection that would get a different species if it were posted now. */
interface MisnamedDetection extends ReviewedDetection {
  readonly targetId: number;
}

/** Lists the posted names of detections without a review. */
async function listPostedNames(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT DISTINCT posted_name AS name FROM detection WHERE NOT reviewed',
  );
  return rows.map((row) => row.name);
}

/** Lists unreviewed detections after an id whose posted name means a different species, by id. */
async function listMisnamed(
  client: pg.ClientBase | pg.Pool,
  targets: readonly NameTarget[],
  { after, upTo, limit }: { readonly after: number; readonly upTo?: number; readonly limit: number },
): Promise<MisnamedDetection[]> {
  const { rows } = await client.query<MisnamedDetection>(
    `SELECT ${reviewedColumns}, target.species_id AS "targetId"
     FROM detection JOIN unnest($1::text[], $2::int[]) AS target (name, species_id) ON posted_name = target.name
     ${reviewedJoins}
     WHERE detection.id > $3 AND detection.id <= coalesce($4::bigint, detection.id)
       AND NOT reviewed AND detection.species_id <> target.species_id
     ORDER BY detection.id LIMIT $5`,
    [targets.map(({ name }) => name), targets.map(({ speciesId }) => speciesId), after, upTo, limit],
  );
  return rows;
}

/** The new species and visit of a detection. */
interface NewPlace {
  readonly id: number;
  readonly species_id: number;
  readonly visit_id: number | undefined;
}

/** Moves detections to other species and visits; they stay unreviewed. */
function writePlaces({ client, send }: WriterScope, places: readonly NewPlace[]): void {
  const statement = `
    UPDATE detection SET species_id = place.species_id, visit_id = place.visit_id
    FROM json_to_recordset($1) AS place (id bigint, species_id int, visit_id bigint) WHERE detection.id = place.id`;
  send(client.query(statement, [JSON.stringify(places)]));
}
