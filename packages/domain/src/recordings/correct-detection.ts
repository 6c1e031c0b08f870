import { HubError } from '@birdhub/shared/errors';
import { SpeciesMerged } from '../visits/maintain-visits.js';
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

/** The species of an id, or the one that it was merged into. */
async function findSpecies({ directory }: WriterResources, speciesId: number): Promise<number | undefined> {
  const known = (await directory.tree()).current(speciesId);
  if (known !== undefined) return known;
  directory.forget();
  return (await directory.tree()).current(speciesId);
}

async function correctOnce(
  resources: WriterResources,
  { detectionId, speciesId: given, scope: reach }: Correction,
  { role, requestId }: Author,
): Promise<ReviewResult> {
  const speciesId = await findSpecies(resources, given);
  const isOther = (detection: ReviewedDetection) => detection.speciesId !== speciesId;
  return reviewDetections(resources, {
    detectionId,
    requestId,
    async list(client) {
      const detections = await listInScope(client, detectionId, reach);
      if (!detections.length) throw new HubError('detection_not_found');
      return detections;
    },
    decide(detections) {
      if (speciesId === undefined) throw new HubError('species_not_found');
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
      const activity = { type: 'species_correction', data } as const;
      writeCorrection(scope, { detectionId, toSpeciesId: speciesId, scope: reach, role, before, activity });
    },
  });
}

/**
 * Moves a detection (its track, or its whole visit) to another species and marks it reviewed; nothing changes when
 * all of that is of the species already.
 * @throws HubError detection_not_found, species_not_found
 */
export function correctDetection(
  resources: WriterResources,
  correction: Correction,
  author: Author,
): Promise<ReviewResult> {
  const correct = () => correctOnce(resources, correction, author);
  return correct().catch((error: unknown) => {
    if (error instanceof SpeciesMerged) return correct();
    throw error;
  });
}
