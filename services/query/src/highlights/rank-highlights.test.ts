import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RankedCandidate, rankHighlights, scoreOf } from './rank-highlights.js';

const aCandidate = (given: Partial<RankedCandidate> = {}): RankedCandidate => ({
  detectionId: 1,
  videoId: given.detectionId ?? 1,
  visitId: given.detectionId ?? 1,
  speciesId: 1,
  day: '2026-05-01',
  source: 'video',
  confidence: 0.8,
  isReviewed: false,
  isFavorite: false,
  quality: 0.5,
  rarity: 0.2,
  reason: undefined,
  ...given,
});

const idsOf = (candidates: readonly RankedCandidate[]) => candidates.map(({ detectionId }) => detectionId);

describe('scoreOf', () => {
  it.each<[string, Partial<RankedCandidate>, Partial<RankedCandidate>]>([
    ['a better picture', { quality: 0.9 }, { quality: 0.3 }],
    ['a surer detection', { confidence: 0.95 }, { confidence: 0.5 }],
    ['a confirmed detection', { isReviewed: true }, {}],
    ['a rarer species', { rarity: 0.9 }, { rarity: 0.1 }],
    ['a favourite', { isFavorite: true }, {}],
    ['the first of its species', { reason: 'first_ever' }, { reason: 'new_this_year' }],
    ['the worst picture', { quality: 0, confidence: 0 }, { source: 'audio', confidence: 1, quality: null }],
  ])('%s, is better', (_, better, worse) => {
    expect(scoreOf(aCandidate(better))).toBeGreaterThan(scoreOf(aCandidate(worse)));
  });
});

describe('rankHighlights', () => {
  it('many good pictures of one species, leave room for others', () => {
    const tits = [1, 2, 3, 4].map((detectionId) => aCandidate({ detectionId, quality: 0.9 }));
    const wren = aCandidate({ detectionId: 9, speciesId: 2, quality: 0.4 });
    expect(idsOf(rankHighlights([...tits, wren], 3))).toEqual([4, 9, 3]);
  });

  it('equally good pictures, alternate between days', () => {
    const candidates = ['2026-05-01', '2026-05-01', '2026-05-02'].map((day, at) =>
      aCandidate({ detectionId: 9 - at, speciesId: at, day }),
    );
    expect(idsOf(rankHighlights(candidates, 3))).toEqual([9, 7, 8]);
  });

  it('several detections of a visit or a recording, are listed once', () => {
    const ofVisit = [1, 2].map((detectionId) => aCandidate({ detectionId, visitId: 7 }));
    const ofVideo = [3, 4].map((detectionId) => aCandidate({ detectionId, videoId: 8, speciesId: 2 }));
    expect(idsOf(rankHighlights([...ofVisit, ...ofVideo], 9))).toHaveLength(2);
  });

  it('any candidates in any order, are listed at most once, the best first', () => {
    const few = fc.integer({ min: 1, max: 5 });
    const share = fc.float({ min: 0, max: 1, noNaN: true });
    const candidates = fc.uniqueArray(
      fc.record<RankedCandidate>({
        detectionId: fc.integer({ min: 1, max: 10_000 }),
        videoId: fc.integer({ min: 1, max: 30 }),
        visitId: fc.integer({ min: 1, max: 30 }),
        speciesId: few,
        day: fc.constantFrom('2026-05-01', '2026-05-02', '2026-05-03'),
        source: fc.constantFrom('video' as const, 'audio' as const),
        confidence: share,
        isReviewed: fc.boolean(),
        isFavorite: fc.boolean(),
        quality: fc.option(share),
        rarity: share,
        reason: fc.constantFrom('first_ever' as const, 'new_this_year' as const, 'rare' as const, undefined),
      }),
      { selector: ({ detectionId }) => detectionId, maxLength: 60 },
    );
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 20 }), (all, limit) => {
        const chosen = rankHighlights(all, limit);
        expect(chosen.length).toBeLessThanOrEqual(limit);
        expect(new Set(chosen.map(({ videoId }) => videoId)).size).toBe(chosen.length);
        expect(new Set(chosen.map(({ visitId }) => visitId)).size).toBe(chosen.length);
        expect(rankHighlights(all.toReversed(), limit)).toEqual(chosen);
        // A shorter list is the start of a longer one.
        expect(rankHighlights(all, limit + 1).slice(0, chosen.length)).toEqual(chosen);
        const [first] = chosen;
        const scores = all.map(scoreOf);
        if (first) expect(scoreOf(first)).toBe(Math.max(...scores));
      }),
    );
  });
});
