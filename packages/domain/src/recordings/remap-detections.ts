import { cover } from '../visits/interval.js';
import { maintainVisits, type WriterScope } from '../visits/maintain-visits.js';
import { requireLocks } from '../visits/writer-locks.js';
import { visitsOfAdded } from './place-detections.js';
import { recordingLock } from './recording-key.js';
import {
  listMisnamed,
  listPostedNames,
  type MisnamedDetection,
  type NameTarget,
  writePlaces,
} from './remaps.store.js';
import { createNaming } from './resolve-posted.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction } from './writer-transaction.js';

/** How far applying the names to the past has come. */
export interface RemapProgress {
  /** The last detection that was looked at; a later run may go on behind it. */
  readonly lastId: number;
  readonly moved: number;
}

/** How to go through the past. */
export interface RemapOptions {
  /** Detections up to this one are left alone. */
  readonly afterId?: number;
  readonly signal?: AbortSignal;
  /** Called after each slice, when that is committed. */
  readonly onProgress?: (progress: RemapProgress) => Promise<void> | void;
}

/** Few enough that their locks are taken one by one, so that posts go on meanwhile. */
const atOnce = 60;

async function findTargets({ pool, settings, directory }: WriterResources): Promise<NameTarget[]> {
  const labelOf = createNaming(await settings.current());
  const names = await listPostedNames(pool);
  const ids = await directory.resolve(names.map(labelOf));
  return names.flatMap((name) => {
    const speciesId = ids.get(labelOf(name));
    return speciesId === undefined ? [] : [{ name, speciesId }];
  });
}

const lockOf = ({ cameraId, videoPath }: MisnamedDetection) => recordingLock(cameraId, videoPath);

async function moveSlice(scope: WriterScope, targets: readonly NameTarget[], after: number, upTo: number) {
  const detections = await listMisnamed(scope.client, targets, { after, upTo, limit: atOnce });
  requireLocks(scope.locks, { videos: detections.map(lockOf) });
  if (!detections.length) return 0;
  const added = detections.map((detection) => ({ ...detection, speciesId: detection.targetId }));
  const maintained = await maintainVisits(scope, { removed: detections, added });
  const visits = visitsOfAdded(added, maintained);
  const places = added.map(({ id, speciesId }, at) => ({ id, species_id: speciesId, visit_id: visits[at] }));
  writePlaces(scope, places);
  const seen = detections.map((detection) => ({ start: detection.visitStart, end: detection.visitEnd }));
  const { start, end } = cover([...maintained.touched, ...seen]);
  scope.changed({ kind: 'recordings', from: start, to: end });
  return detections.length;
}

/**
 * Gives detections of the past that nobody has reviewed the species that their names mean now, by the settings and by
 * the species' spellings. Slice by slice, each in a transaction of its own; posts go on meanwhile.
 */
export async function remapDetections(
  resources: WriterResources,
  { afterId = 0, signal, onProgress }: RemapOptions = {},
): Promise<RemapProgress> {
  const targets = await findTargets(resources);
  let progress: RemapProgress = { lastId: afterId, moved: 0 };
  while (!signal?.aborted) {
    const { lastId } = progress;
    const found = await listMisnamed(resources.pool, targets, { after: lastId, limit: atOnce });
    const upTo = found.at(-1)?.id;
    if (upTo === undefined) break;
    const request = {
      videos: found.map(lockOf),
      species: found.flatMap(({ speciesId, targetId }) => [speciesId, targetId]),
    };
    const moved = await inWriterTransaction(resources, request, (scope) =>
      moveSlice(scope, targets, lastId, upTo),
    );
    progress = { lastId: upTo, moved: progress.moved + moved };
    await onProgress?.(progress);
  }
  return progress;
}
