/** The properties by which candidates for highlights are ranked. */
export interface RankedCandidate {
  readonly detectionId: number;
  readonly videoId: number;
  readonly visitId: number;
  readonly speciesId: number;
  /** Local day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly source: 'video' | 'audio';
  readonly confidence: number;
  readonly isReviewed: boolean;
  readonly isFavorite: boolean;
  /** Quality of its picture, 0 to 1; null when it was not measured. */
  readonly quality: number | null;
  /** How rare the species is, 0 to 1. */
  readonly rarity: number;
  readonly reason: 'first_ever' | 'new_this_year' | 'rare' | undefined;
}

/** Assumed quality of a picture that was not measured, which may be good. */
const unmeasuredQuality = 0.45;
const noveltyBonus = { first_ever: 0.25, new_this_year: 0.12, rare: 0 };
/** Factors for each further highlight of the same species or day. */
const speciesDecay = 0.55;
const dayDecay = 0.92;

/** Returns the score of a candidate, regardless of the others; audio detections score below video detections. */
export function scoreOf(candidate: Omit<RankedCandidate, 'detectionId' | 'videoId' | 'visitId'>): number {
  const { source, confidence, isReviewed, isFavorite, quality, rarity, reason } = candidate;
  const trust = isReviewed ? 1 : confidence;
  const seen = 0.3 + 0.5 * (quality ?? unmeasuredQuality) + 0.25 * trust;
  const evidence = source === 'video' ? seen : 0.15 * trust;
  return evidence + 0.25 * rarity + (isFavorite ? 0.3 : 0) + (reason ? noveltyBonus[reason] : 0);
}

/**
 * Chooses the best candidates, best first, with variety: each further one of a species or, to a lesser degree, of a day
 * scores lower, and each visit and each recording is chosen at most once.
 */
export function rankHighlights<T extends RankedCandidate>(candidates: readonly T[], limit: number): T[] {
  const ranked = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .toSorted((a, b) => b.score - a.score || b.candidate.detectionId - a.candidate.detectionId);
  const countBySpecies = new Map<number, number>();
  const countByDay = new Map<string, number>();
  const taken = new Set<string>();
  const chosen: T[] = [];
  const keysOf = ({ videoId, visitId }: T) => [`video ${videoId}`, `visit ${visitId}`];
  while (chosen.length < limit) {
    let best: T | undefined;
    let maxValue = Number.NEGATIVE_INFINITY;
    for (const { candidate, score } of ranked) {
      // Sorted by score, so no later candidate has a higher value.
      if (score <= maxValue) break;
      if (keysOf(candidate).some((key) => taken.has(key))) continue;
      const speciesFactor = speciesDecay ** (countBySpecies.get(candidate.speciesId) ?? 0);
      const value = score * speciesFactor * dayDecay ** (countByDay.get(candidate.day) ?? 0);
      if (value > maxValue) [best, maxValue] = [candidate, value];
    }
    if (!best) return chosen;
    chosen.push(best);
    countBySpecies.set(best.speciesId, (countBySpecies.get(best.speciesId) ?? 0) + 1);
    countByDay.set(best.day, (countByDay.get(best.day) ?? 0) + 1);
    for (const key of keysOf(best)) taken.add(key);
  }
  return chosen;
}
