import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { SpeciesTree } from '../species/species-tree.js';
import type { WriterScope } from '../visits/maintain-visits.js';
import { requireLocks } from '../visits/writer-locks.js';
import { applyVerdicts, type Verdict } from './apply-verdicts.js';
import { recordingLock } from './recording-key.js';
import { findPlace, type ReviewedDetection } from './reviews.store.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction } from './writer-transaction.js';

/** What a person's word on a detection changed. */
export interface ReviewResult {
  /** How many detections are otherwise than before. */
  readonly updatedCount: number;
  /** What the detection is now. */
  readonly speciesId: number;
  readonly visitId: number;
}

/** A person's word on a detection. */
export interface Review<T extends ReviewedDetection> {
  readonly detectionId: number;
  readonly requestId: string;
  /** What it is about. */
  list(client: pg.ClientBase | pg.Pool): Promise<T[]>;
  /** What of that becomes otherwise. */
  decide(detections: readonly T[]): Verdict<T>[];
  /** Keeps the word itself. */
  record(scope: WriterScope, verdicts: readonly Verdict<T>[]): void;
}

const lockOf = ({ cameraId, videoPath }: ReviewedDetection) => recordingLock(cameraId, videoPath);

/** @throws HubError detection_not_found */
async function getPlace(client: pg.ClientBase | pg.Pool, detectionId: number) {
  const place = await findPlace(client, detectionId);
  if (!place) throw new HubError('detection_not_found');
  return place;
}

/** A species that was merged since, or that a person meant by its old id, is the one that it was merged into. */
function withCurrentSpecies<T extends ReviewedDetection>(verdict: Verdict<T>, tree: SpeciesTree): Verdict<T> {
  return { ...verdict, speciesId: tree.current(verdict.speciesId) ?? verdict.speciesId };
}

async function write<T extends ReviewedDetection>(scope: WriterScope, review: Review<T>) {
  const detections = await review.list(scope.client);
  requireLocks(scope.locks, { videos: detections.map(lockOf) });
  const verdicts = review.decide(detections).map((verdict) => withCurrentSpecies(verdict, scope.tree));
  if (verdicts.length) {
    await applyVerdicts(scope, verdicts, review.requestId);
    review.record(scope, verdicts);
  }
  return { updatedCount: verdicts.length, ...(await getPlace(scope.client, review.detectionId)) };
}

/**
 * Carries out a person's word on a detection in one transaction, under the locks of all recordings and species that
 * it is about.
 * @throws HubError detection_not_found
 */
export async function reviewDetections<T extends ReviewedDetection>(
  resources: WriterResources,
  review: Review<T>,
): Promise<ReviewResult> {
  const detections = await review.list(resources.pool);
  const verdicts = review.decide(detections);
  const request = {
    videos: detections.map(lockOf),
    species: verdicts.flatMap(({ detection, speciesId }) => [detection.speciesId, speciesId]),
  };
  return inWriterTransaction(resources, request, (scope) => write(scope, review));
}
