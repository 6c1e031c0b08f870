/** What a candidate for the best of a window is judged by. */
export interface RankedCandidate {
  readonly detectionId: number;
  readonly videoId: number;
  readonly visitId: number;
  readonly speciesId: number;
  /** The local day. */
  readonly day: string;
  readonly source: 'video' | 'audio';
  readonly confidence: number;
  readonly isReviewed: boolean;
  readonly isFavorite: boolean;
  /** Of its picture, 0 to 1; null when it was not measured. */
  readonly quality: number | null;
  /** How rare the species is, 0 to 1. */
  readonly rarity: number;
  readonly reason: 'first_ever' | 'new_this_year' | 'rare' | undefined;
}

/** A picture that nobody has measured may be good. */
const unmeasuredQuality = 0.45;
const newness = { first_ever: 0.25, new_this_year: 0.12, rare: 0 };
/** What a further picture of a species, and of a day, is worth. */
const speciesDecay = 0.55;
const dayDecay = 0.92;

/** Returns how good a candidate is by itself; what was only heard stays behind what was seen. */
export function scoreOf(candidate: Omit<RankedCandidate, 'detectionId' | 'videoId' | 'visitId'>): number {
  const { source, confidence, isReviewed, isFavorite, quality, rarity, reason } = candidate;
  const trust = isReviewed ? 1 : confidence;
  const seen = 0.3 + 0.5 * (quality ?? unmeasuredQuality) + 0.25 * trust;
  const evidence = source === 'video' ? seen : 0.15 * trust;
  return evidence + 0.25 * rarity + (isFavorite ? 0.3 : 0) + (reason ? newness[reason] : 0);
}

/**
 * Chooses the best candidates, best first, with variety: each further one of a species, and less so of a day, counts
 * for less, and a visit or a recording is there once.
 */
export function rankHighlights<T extends RankedCandidate>(candidates: readonly T[], limit: number): T[] {
  const open = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .toSorted((a, b) => b.score - a.score || b.candidate.detectionId - a.candidate.detectionId);
  const ofSpecies = new Map<number, number>();
  const ofDay = new Map<string, number>();
  const taken = new Set<string>();
  const chosen: T[] = [];
  const keysOf = ({ videoId, visitId }: T) => [`video ${videoId}`, `visit ${visitId}`];
  while (chosen.length < limit) {
    let best: T | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const { candidate, score } of open) {
      // What comes later has at most this score.
      if (score <= most) break;
      if (keysOf(candidate).some((key) => taken.has(key))) continue;
      const species = speciesDecay ** (ofSpecies.get(candidate.speciesId) ?? 0);
      const value = score * species * dayDecay ** (ofDay.get(candidate.day) ?? 0);
      if (value > most) [best, most] = [candidate, value];
    }
    if (!best) return chosen;
    chosen.push(best);
    ofSpecies.set(best.speciesId, (ofSpecies.get(best.speciesId) ?? 0) + 1);
    ofDay.set(best.day, (ofDay.get(best.day) ?? 0) + 1);
    for (const key of keysOf(best)) taken.add(key);
  }
  return chosen;
}
