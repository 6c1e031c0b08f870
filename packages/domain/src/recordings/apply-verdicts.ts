import { type OutboxRow, outboxRow } from '@birdhub/shared/outbox';
import { cover } from '../visits/interval.js';
import { type MaintainedVisits, maintainVisits, type WriterScope } from '../visits/maintain-visits.js';
import { visitsOfAdded } from './place-detections.js';
import { recordingKey, visitEvents } from './recording-events.js';
import { type ReviewedDetection, writeVerdicts } from './reviews.store.js';

/** What a detection shall be from now on. */
export interface Verdict<T extends ReviewedDetection = ReviewedDetection> {
  readonly detection: T;
  readonly speciesId: number;
  /** RFC 3339; null for one that nobody has looked at. */
  readonly reviewedAt: string | null;
}

const distinct = (ids: readonly number[]) => [...new Set(ids)];

/** Verdicts that one event tells of: those of one recording that say the same species. */
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
  requestId: string,
): OutboxRow[] {
  const [first] = group;
  if (!first) return [];
  const { videoId } = first.detection;
  const detections = group.map((verdict) => verdict.detection);
  const payload = {
    detection_ids: detections.map(({ id }) => id),
    video_id: videoId,
    from_species_ids: distinct(detections.map((detection) => detection.speciesId)),
    to_species_id: first.speciesId,
    visit_ids: distinct([...detections.map(({ visitId }) => visitId), ...visits.map(({ id }) => id)]),
    corrected_at: new Date().toISOString(),
  };
  return [outboxRow('hub.v1.detection.corrected', recordingKey(videoId), payload, requestId)];
}

/**
 * Makes detections what a person said; visits of all species concerned, rollups and events follow in the same
 * transaction.
 */
export async function applyVerdicts(
  scope: WriterScope,
  verdicts: readonly Verdict[],
  requestId: string,
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
  const [firstMoved] = added;
  writeVerdicts(scope, rows);
  scope.publish(...groupByEvent(moved).flatMap((group) => correctedEvent(group, maintained, requestId)));
  if (firstMoved) scope.publish(...visitEvents(firstMoved.videoId, maintained.visits, scope.tree, requestId));
  const seen = verdicts.map(({ detection }) => ({ start: detection.visitStart, end: detection.visitEnd }));
  const { start, end } = cover([...maintained.touched, ...seen]);
  scope.changed({ kind: 'recordings', from: start, to: end });
}
