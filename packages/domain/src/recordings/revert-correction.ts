import { HubError } from '@birdhub/shared/errors';
import { listRevertible, writeReversion } from './corrections.store.js';
import type { Author } from './recording-types.js';
import { type ReviewResult, reviewDetections } from './review-detections.js';
import { findPlace } from './reviews.store.js';
import type { WriterResources } from './writer.js';

/**
 * Takes back the last correction or confirmation of a detection, with everything that is still as that left it.
 * @throws HubError detection_not_found, conflict when there is nothing to take back
 */
export async function revertCorrection(
  resources: WriterResources,
  detectionId: number,
  { role, requestId }: Author,
): Promise<ReviewResult> {
  return reviewDetections(resources, {
    detectionId,
    requestId,
    async list(client) {
      const detections = await listRevertible(client, detectionId);
      if (detections.length) return detections;
      if (!(await findPlace(client, detectionId))) throw new HubError('detection_not_found');
      throw new HubError('conflict', { message: 'There is no correction of this detection to take back.' });
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
      const detectionIds = verdicts.map(({ detection }) => detection.id);
      writeReversion(scope, correctionId, detectionIds, {
        by: role,
        correction_id: correctionId,
        detection_ids: detectionIds,
        from_species_ids: [...new Set(verdicts.map(({ detection }) => detection.speciesId))],
        to_species_ids: [...new Set(verdicts.map(({ speciesId }) => speciesId))],
      });
    },
  });
}
