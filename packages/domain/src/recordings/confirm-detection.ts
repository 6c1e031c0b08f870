import { HubError } from '@birdhub/shared/errors';
import { writeCorrection } from './corrections.store.js';
import type { Author } from './recording-types.js';
import { type ReviewResult, reviewDetections } from './review-detections.js';
import { listInScope } from './reviews.store.js';
import type { WriterResources } from './writer.js';

/**
 * Says that a detection is what it was taken for, and with it what its track was taken for likewise; a row of the
 * track that names another species stays to be looked at.
 * @throws HubError detection_not_found
 */
export async function confirmDetection(
  resources: WriterResources,
  detectionId: number,
  { role, requestId }: Author,
): Promise<ReviewResult> {
  return reviewDetections(resources, {
    detectionId,
    requestId,
    list: (client) => listInScope(client, detectionId, 'single_track'),
    decide(detections) {
      const chosen = detections.find(({ id }) => id === detectionId);
      if (!chosen) throw new HubError('detection_not_found');
      const { speciesId } = chosen;
      const reviewedAt = new Date().toISOString();
      return detections
        .filter((detection) => detection.speciesId === speciesId && detection.reviewedAt === null)
        .map((detection) => ({ detection, speciesId, reviewedAt }));
    },
    record(scope, verdicts) {
      const before = verdicts.map(({ detection }) => detection);
      const data = {
        by: role,
        detection_ids: before.map(({ id }) => id),
        species_ids: [...new Set(before.map((detection) => detection.speciesId))],
      };
      const activity = { type: 'detection_confirmed', data } as const;
      const toSpeciesId = undefined;
      writeCorrection(scope, { detectionId, toSpeciesId, scope: 'single_track', role, before, activity });
    },
  });
}
