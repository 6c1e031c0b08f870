import { HubError } from '../errors/index.js';
import { writeCorrection } from './corrections.store.js';
import type { Author } from './recording-types.js';
import { type ReviewResult, reviewDetections } from './review-detections.js';
import { type CorrectionScope, listInScope, type ReviewedDetection } from './reviews.store.js';
import type { WriterResources } from './writer.js';

/** A person's word on what a detection shows. */
export interface Correction {
  readonly detectionId: number;
  readonly speciesId: number;
  readonly scope: CorrectionScope;
}

/**
 * Moves a detection (its track, or its whole visit) to another species and marks it reviewed; nothing changes when
 * all of that is of the species already.
 * @throws HubError detection_not_found, species_not_found
 */
export async function correctDetection(
  resources: WriterResources,
  { detectionId, speciesId, scope: reach }: Correction,
  { role, requestId }: Author,
): Promise<ReviewResult> {
  const { directory } = resources;
  const isOther = (detection: ReviewedDetection) => detection.speciesId !== speciesId;
  const knowsSpecies = async () => (await directory.tree()).current(speciesId) !== undefined;
  return reviewDetections(resources, {
    detectionId,
    requestId,
    async list(client) {
      const detections = await listInScope(client, detectionId, reach);
      if (!detections.length) throw new HubError('detection_not_found');
      if (!(await knowsSpecies())) directory.forget();
      if (!(await knowsSpecies())) throw new HubError('species_not_found');
      return detections;
    },
    decide(detections) {
      if (!detections.some(isOther)) return [];
      const reviewedAt = new Date().toISOString();
      return detections
        .filter((detection) => isOther(detection) || detection.reviewedAt === null)
        .map((detection) => ({ detection, speciesId, reviewedAt }));
    },
    record(scope, verdicts) {
      const before = verdicts.map(({ detection }) => detection);
      const moved = before.filter(isOther);
      const data = {
        by: role,
        detection_ids: moved.map(({ id }) => id),
        from_species_ids: [...new Set(moved.map((detection) => detection.speciesId))],
        to_species_id: speciesId,
        apply_scope: reach,
      };
      const activity = { type: 'species_correction', data };
      writeCorrection(scope, { detectionId, toSpeciesId: speciesId, scope: reach, role, before, activity });
    },
  });
}
