import { errorOf, HubError, refuse } from '@birdhub/shared/errors';
import { type CommitDeps, commit, type OutboxRow, outboxRow } from '@birdhub/shared/outbox';
import { formatInstant } from '@birdhub/shared/time';
import type pg from 'pg';
import type { SpeciesTree } from '../species/directory.js';
import { requireLocks } from '../visits/locks.js';
import { type MaintainedVisits, maintainVisits, type WriterScope } from '../visits/maintain.js';
import { cover } from '../visits/rule.js';
import { type Author, recordingKey, recordingLock, visitEvents, visitsOfAdded } from './recording.js';
import {
  type CorrectionScope,
  findPlace,
  listInScope,
  listRevertible,
  markFavoriteRow,
  type ReviewedDetection,
  writeCorrection,
  writeReversion,
  writeVerdicts,
} from './reviews.store.js';
import {
  announceRecordings,
  inWriterTransaction,
  retryWhenMerged,
  type WriterDeps,
} from './writer-transaction.js';

/** A correction of the species of a detection. */
export interface Correction {
  readonly detectionId: number;
  readonly speciesId: number;
  readonly scope: CorrectionScope;
}

/** The effect of a review. */
export interface ReviewResult {
  /** Number of detections that changed. */
  readonly updatedCount: number;
  /** The species and visit of the detection after the review. */
  readonly speciesId: number;
  readonly visitId: number;
}

/**
 * Confirms a detection and those of its track with the same species; others stay unreviewed.
 * @throws HubError detection_not_found
 */
export async function confirmDetection(
  deps: WriterDeps,
  detectionId: number,
  { role, token, requestId }: Author,
): Promise<ReviewResult> {
  return applyReview(deps, {
    detectionId,
    requestId,
    list: (client) => listInScope(client, detectionId, 'single_track'),
    decide(detections, reviewedAt) {
      const chosen = detections.find(({ id }) => id === detectionId);
      if (!chosen) throw new HubError('detection_not_found');
      const { speciesId } = chosen;
      return detections
        .filter((detection) => detection.speciesId === speciesId && detection.reviewedAt === null)
        .map((detection) => ({ detection, speciesId, reviewedAt }));
    },
    record(scope, verdicts) {
      const before = verdicts.map(({ detection }) => detection);
      const data = { by: role, token, detection_ids: idsOf(before), species_ids: speciesOf(before) };
      const activity = { type: 'detection_confirmed', data } as const;
      const toSpeciesId = undefined;
      writeCorrection(scope, { detectionId, toSpeciesId, scope: 'single_track', role, before, activity });
    },
  });
}

/**
 * Moves a detection (its track, or its whole visit) to another species and marks it as reviewed; does nothing when all
 * detections already have the species.
 * @throws HubError detection_not_found, species_not_found, conflict for noise, which has no visits
 */
export function correctDetection(
  deps: WriterDeps,
  { detectionId, speciesId: given, scope: applyScope }: Correction,
  { role, token, requestId }: Author,
): Promise<ReviewResult> {
  return retryWhenMerged(async () => {
    const speciesId = await findSpecies(deps, given);
    const isNoise = (await deps.directory.tree()).nodes.get(speciesId ?? 0)?.group === 'noise';
    const isOther = (detection: ReviewedDetection) => detection.speciesId !== speciesId;
    return applyReview(deps, {
      detectionId,
      requestId,
      async list(client) {
        const detections = await listInScope(client, detectionId, applyScope);
        if (!detections.length) throw new HubError('detection_not_found');
        return detections;
      },
      decide(detections, reviewedAt) {
        if (speciesId === undefined) throw new HubError('species_not_found');
        if (isNoise) throw errorOf('conflict', refuse('', 'noise_correction'));
        if (!detections.some(isOther)) return [];
        return detections
          .filter((detection) => isOther(detection) || detection.reviewedAt === null)
          .map((detection) => ({ detection, speciesId, reviewedAt }));
      },
      record(scope, verdicts) {
        const before = verdicts.map(({ detection }) => detection);
        const moved = before.filter(isOther);
        const data = {
          by: role,
          token,
          detection_ids: idsOf(moved),
          from_species_ids: speciesOf(moved),
          to_species_id: speciesId,
          apply_scope: applyScope,
        };
        const activity = { type: 'species_correction', data } as const;
        const toSpeciesId = speciesId;
        writeCorrection(scope, { detectionId, toSpeciesId, scope: applyScope, role, before, activity });
      },
    });
  });
}

/**
 * Reverts the last correction or confirmation of a detection, for all detections that it changed last.
 * @throws HubError detection_not_found, conflict when there is nothing to revert
 */
export async function revertCorrection(
  deps: WriterDeps,
  detectionId: number,
  { role, token, requestId }: Author,
): Promise<ReviewResult> {
  return applyReview(deps, {
    detectionId,
    requestId,
    async list(client) {
      const detections = await listRevertible(client, detectionId);
      if (detections.length) return detections;
      if (!(await findPlace(client, detectionId))) throw new HubError('detection_not_found');
      throw new HubError('conflict', { message: 'There is no correction of this detection to revert.' });
    },
    decide: (detections) =>
      detections.map((detection) => ({
        detection,
        speciesId: detection.speciesBefore,
        reviewedAt: detection.reviewedBefore,
      })),
    record(scope, verdicts) {
      const [first] = verdicts;
      if (!first) return;
      const { correctionId } = first.detection;
      const detections = verdicts.map(({ detection }) => detection);
      writeReversion(scope, correctionId, idsOf(detections), {
        by: role,
        token,
        correction_id: correctionId,
        detection_ids: idsOf(detections),
        from_species_ids: speciesOf(detections),
        to_species_ids: speciesOf(verdicts),
      });
    },
  });
}

/** Marks or unmarks a recording as a favourite. @throws HubError video_not_found, recording_deleted */
export async function markFavorite(deps: CommitDeps, videoId: number, isFavorite: boolean): Promise<void> {
  await commit(deps, async ({ client, changed }) => {
    const found = await markFavoriteRow(client, videoId, isFavorite);
    if (!found?.isStored) throw new HubError(found?.isDeleted ? 'recording_deleted' : 'video_not_found');
    if (found.isChanged) announceRecordings({ changed }, found);
  });
}

/** The new state of a detection. */
interface Verdict<T extends ReviewedDetection = ReviewedDetection> {
  readonly detection: T;
  readonly speciesId: number;
  /** RFC 3339; null without a review. */
  readonly reviewedAt: string | null;
}

/** A review of a detection and of related ones. */
interface Review<T extends ReviewedDetection> {
  readonly detectionId: number;
  readonly requestId: string;
  /** Lists the covered detections. */
  list(client: pg.ClientBase | pg.Pool): Promise<T[]>;
  /** Returns the verdicts on the detections that change; `now` is RFC 3339. */
  decide(detections: readonly T[], now: string): Verdict<T>[];
  /** Stores the review and logs it. */
  record(scope: WriterScope, verdicts: readonly Verdict<T>[]): void;
}

const distinct = (ids: readonly number[]) => [...new Set(ids)];
const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
const speciesOf = (rows: readonly { readonly speciesId: number }[]) =>
  distinct(rows.map(({ speciesId }) => speciesId));
const lockOf = ({ cameraId, videoPath }: ReviewedDetection) => recordingLock(cameraId, videoPath);

/** Returns the id of a species, or of its merge target. */
async function findSpecies({ directory }: WriterDeps, speciesId: number): Promise<number | undefined> {
  const known = (await directory.tree()).current(speciesId);
  if (known !== undefined) return known;
  directory.forget();
  return (await directory.tree()).current(speciesId);
}

/** Runs a review in one transaction, under the locks of all affected recordings and species. */
async function applyReview<T extends ReviewedDetection>(
  deps: WriterDeps,
  review: Review<T>,
): Promise<ReviewResult> {
  const detections = await review.list(deps.pool);
  const now = formatInstant(deps.clock.now());
  const verdicts = review.decide(detections, now);
  const request = {
    videos: detections.map(lockOf),
    species: verdicts.flatMap(({ detection, speciesId }) => [detection.speciesId, speciesId]),
  };
  return inWriterTransaction(deps, request, (scope) => writeReview(scope, review, now));
}

async function writeReview<T extends ReviewedDetection>(
  scope: WriterScope,
  review: Review<T>,
  now: string,
): Promise<ReviewResult> {
  const detections = await review.list(scope.client);
  requireLocks(scope.locks, { videos: detections.map(lockOf) });
  const verdicts = review.decide(detections, now).map((verdict) => withCurrentSpecies(verdict, scope.tree));
  if (verdicts.length) {
    await applyVerdicts(scope, verdicts, { requestId: review.requestId, now });
    review.record(scope, verdicts);
  }
  const place = await findPlace(scope.client, review.detectionId);
  if (!place) throw new HubError('detection_not_found');
  return { updatedCount: verdicts.length, ...place };
}

/** Replaces a species that was merged meanwhile by its target. */
function withCurrentSpecies<T extends ReviewedDetection>(verdict: Verdict<T>, tree: SpeciesTree): Verdict<T> {
  return { ...verdict, speciesId: tree.current(verdict.speciesId) ?? verdict.speciesId };
}

/** Writes verdicts, and the resulting changes of visits, rollups and events in the same transaction. */
async function applyVerdicts(
  scope: WriterScope,
  verdicts: readonly Verdict[],
  { requestId, now }: { readonly requestId: string; readonly now: string },
): Promise<void> {
  const moved = verdicts.filter(({ detection, speciesId }) => detection.speciesId !== speciesId);
  const added = moved.map(({ detection, speciesId }) => ({ ...detection, speciesId }));
  const maintained = await maintainVisits(scope, { removed: moved.map(({ detection }) => detection), added });
  const visits = visitsOfAdded(added, maintained);
  const visitOf = new Map(added.map(({ id }, index) => [id, visits[index]]));
  const rows = verdicts.map(({ detection: { id }, speciesId, reviewedAt }) => ({
    id,
    species_id: speciesId,
    visit_id: visitOf.get(id),
    reviewed_at: reviewedAt,
  }));
  writeVerdicts(scope, rows);
  const groups = groupByEvent(moved);
  scope.publish(...groups.flatMap((group) => correctedEvent(group, maintained, { requestId, now })));
  const [firstMoved] = added;
  if (firstMoved) scope.publish(...visitEvents(firstMoved, maintained.visits, scope.tree, requestId));
  const spans = verdicts.map(({ detection }) => ({ start: detection.visitStart, end: detection.visitEnd }));
  announceRecordings(scope, cover([...maintained.touched, ...spans]));
}

/** Groups verdicts by event: one for each recording and species. */
function groupByEvent(moved: readonly Verdict[]): Verdict[][] {
  const groups = new Map<string, Verdict[]>();
  for (const verdict of moved) {
    const key = `${verdict.detection.videoId} ${verdict.speciesId}`;
    groups.set(key, [...(groups.get(key) ?? []), verdict]);
  }
  return [...groups.values()];
}

function correctedEvent(
  group: readonly Verdict[],
  { visits }: MaintainedVisits,
  { requestId, now }: { readonly requestId: string; readonly now: string },
): OutboxRow[] {
  const [first] = group;
  if (!first) return [];
  const { videoId, mediaKind } = first.detection;
  const detections = group.map((verdict) => verdict.detection);
  const payload = {
    detection_ids: idsOf(detections),
    video_id: videoId,
    media_kind: mediaKind,
    from_species_ids: speciesOf(detections),
    to_species_id: first.speciesId,
    visit_ids: distinct([...detections.map(({ visitId }) => visitId), ...idsOf(visits)]),
    corrected_at: now,
  };
  return [outboxRow('hub.v1.detection.corrected', recordingKey(videoId), payload, requestId)];
}
