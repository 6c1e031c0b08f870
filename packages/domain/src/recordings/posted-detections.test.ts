import { aDetection, aRecording } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../settings/schema.js';
import type { SpeciesDirectory } from '../species/directory.js';
import { keepCorrections, resolvePosted } from './posted-detections.js';
import type { ResolvedDetection, StoredRow } from './recording.js';

/** Numbers species from 1 on, and records the labels that were resolved. */
function aDirectory() {
  const resolved: string[][] = [];
  return {
    resolved,
    resolve: async (labels: Iterable<string>) => {
      resolved.push([...labels]);
      return new Map([...new Set(labels)].map((label, index) => [label, index + 1]));
    },
    tree: async () => ({ nodes: new Map(), find: () => undefined, read: () => undefined }),
  };
}

const settingsWith = (species_mapping: Record<string, string>, min_confidence_to_store = 0.05) => ({
  ...defaultSettings('UTC'),
  detection: { min_confidence_to_store, species_mapping },
});

async function resolve(names: string[], mapping: Record<string, string>) {
  const directory = aDirectory();
  const recording = aRecording({ detections: names.map((speciesName) => aDetection({ speciesName })) });
  const post = await resolvePosted(
    recording,
    settingsWith(mapping),
    directory as unknown as SpeciesDirectory,
  );
  return { post, resolved: directory.resolved.flat() };
}

describe('resolvePosted', () => {
  it('labels in the mapping in any spelling, are resolved by their mapped name', async () => {
    const { post, resolved } = await resolve(['great-tit', 'Robin'], { 'GREAT TIT': 'Kohlmeise' });
    expect(resolved).toEqual(['Kohlmeise', 'Robin']);
    expect(post.detections.map((row) => [row.speciesName, row.speciesId])).toEqual([
      ['great-tit', 1],
      ['Robin', 2],
    ]);
  });

  it('a mapping, is applied once', async () => {
    expect((await resolve(['A'], { A: 'B', B: 'C' })).resolved).toEqual(['B']);
  });

  it.each(['', ' ', '\u0085'])('a mapping to %j, is ignored', async (to) => {
    expect((await resolve(['A'], { A: to })).resolved).toEqual(['A']);
  });

  it('a label that is a property of every object, is not found in the mapping', async () => {
    const { resolved } = await resolve(['constructor', 'toString'], { A: 'B' });
    expect(resolved).toEqual(['constructor', 'toString']);
  });

  it('detections below the minimum confidence, are counted and not resolved', async () => {
    const directory = aDirectory();
    const detections = [0.4, 0.3999, 0].map((confidence) =>
      aDetection({ confidence, speciesName: `${confidence}` }),
    );
    const recording = aRecording({ detections });
    const post = await resolvePosted(
      recording,
      settingsWith({}, 0.4),
      directory as unknown as SpeciesDirectory,
    );
    expect(post.dropped).toBe(2);
    expect(post.detections).toHaveLength(1);
    expect(directory.resolved).toEqual([['0.4']]);
  });
});

const greatTit = 1;
const blueTit = 2;
const reviewedAt = '2026-05-01T08:00:00+00:00';

const posted = (given: Partial<ResolvedDetection> = {}): ResolvedDetection => ({
  ...aDetection(given),
  speciesId: greatTit,
  ...given,
});

const stored = (id: number, given: Partial<StoredRow> = {}): StoredRow => ({
  ...posted(given),
  originalSpeciesId: null,
  reviewed: false,
  reviewedAt: null,
  visitId: 9,
  start: 0,
  end: 0,
  ...given,
  id,
});

const corrected = (id: number, given: Partial<StoredRow> = {}) =>
  stored(id, { speciesId: blueTit, originalSpeciesId: greatTit, reviewed: true, reviewedAt, ...given });

const brief = (rows: readonly { id: number | undefined; speciesId: number; reviewed: boolean }[]) =>
  rows.map(({ id, speciesId, reviewed }) => [id, speciesId, reviewed]);

describe('keepCorrections', () => {
  it('rows without a review, keep their ids and take the posted values', () => {
    const rows = keepCorrections([posted({ confidence: 0.2 })], [stored(7, { confidence: 0.9 })]);
    expect(rows).toEqual([
      { ...posted({ confidence: 0.2 }), id: 7, originalSpeciesId: null, reviewed: false, reviewedAt: null },
    ]);
  });

  it('a corrected row, keeps its correction and notes the species that the processor reports now', () => {
    const [row] = keepCorrections([posted({ speciesId: 3 })], [corrected(7)]);
    expect(row).toMatchObject({
      id: 7,
      speciesId: blueTit,
      originalSpeciesId: 3,
      reviewed: true,
      reviewedAt,
    });
  });

  it('a confirmed row, stays confirmed', () => {
    const [row] = keepCorrections([posted()], [stored(7, { reviewed: true, reviewedAt })]);
    expect(row).toMatchObject({ id: 7, speciesId: greatTit, originalSpeciesId: null, reviewed: true });
  });

  it('a track that the source no longer has, stays beside the posted ones', () => {
    const known = [stored(1, { trackId: 'a' }), stored(2, { trackId: 'b' }), stored(3, { trackId: 'c' })];
    const rows = keepCorrections([posted({ trackId: 'a', speciesId: blueTit })], known, {
      keptTracks: ['b'],
    });
    expect(brief(rows)).toEqual([
      [1, blueTit, false],
      [2, greatTit, false],
    ]);
  });

  it('names in another spelling, match', () => {
    const rows = keepCorrections([posted({ speciesName: 'great-TIT' })], [corrected(7)]);
    expect(brief(rows)).toEqual([[7, blueTit, true]]);
  });

  it('another source, name or track, is another bird, and the corrected row is kept', () => {
    const others = [
      posted({ source: 'audio' }),
      posted({ speciesName: 'Robin', speciesId: 5 }),
      posted({ trackId: '1' }),
    ];
    for (const other of others) {
      expect(brief(keepCorrections([other], [corrected(7)]))).toEqual([
        [undefined, other.speciesId, false],
        [7, blueTit, true],
      ]);
    }
  });

  it('the same track in picture and sound, is two birds', () => {
    const rows = keepCorrections(
      [posted({ trackId: '1', source: 'audio' })],
      [corrected(7, { trackId: '1' })],
    );
    expect(brief(rows)).toEqual([
      [undefined, greatTit, false],
      [7, blueTit, true],
    ]);
  });

  it('a corrected track posted in fewer pieces, keeps its correction', () => {
    const pieces = [0, 3, 6].map((startOffset, at) => corrected(at + 1, { trackId: '1', startOffset }));
    const rows = keepCorrections([posted({ trackId: '1', startOffset: 3.1 })], pieces);
    expect(brief(rows)).toEqual([[2, blueTit, true]]);
  });

  it('a track with one corrected piece, takes the correction in all pieces', () => {
    const pieces = [stored(1, { trackId: '1' }), corrected(2, { trackId: '1', startOffset: 4 })];
    const rows = keepCorrections(
      [0, 4, 8].map((startOffset) => posted({ trackId: '1', startOffset })),
      pieces,
    );
    expect(brief(rows)).toEqual([
      [1, blueTit, true],
      [2, blueTit, true],
      [undefined, blueTit, true],
    ]);
  });

  it('rows in any order, are returned in the posted order', () => {
    const rows = [8, 0, 4].map((startOffset) => posted({ startOffset }));
    const known = [0, 4, 8].map((startOffset, at) => stored(at + 1, { startOffset }));
    expect(keepCorrections(rows, known).map((row) => row.id)).toEqual([3, 1, 2]);
  });

  it('an empty post, keeps the reviewed rows only', () => {
    expect(keepCorrections([], [stored(1), corrected(2), stored(3, { trackId: '1' })])).toEqual([
      corrected(2),
    ]);
  });

  it('detections by a person, replace the reviewed rows that are stored', () => {
    const own = { reviewed: true, reviewedAt: '2026-05-02T00:00:00Z' };
    const rows = keepCorrections(
      [posted({ trackId: '1', speciesId: 5, ...own })],
      [corrected(7, { trackId: '1' }), corrected(8, { trackId: '2' })],
      { isByPerson: true },
    );
    expect(rows).toEqual([
      { ...posted({ trackId: '1', speciesId: 5 }), ...own, id: 7, originalSpeciesId: null },
    ]);
  });
});

describe('keepCorrections of reviews by programs', () => {
  const byProgram = { reviewed: true, reviewedAt: null };

  it('a corrected row and another one, keep their corrections when the program reviews its own result', () => {
    const rows = keepCorrections(
      [posted({ trackId: '1', speciesId: 5, reviewed: true })],
      [corrected(7, { trackId: '1' }), corrected(8, { trackId: '2' })],
    );
    expect(rows).toMatchObject([
      { id: 7, speciesId: blueTit, reviewed: true, postedReviewed: true },
      { id: 8, speciesId: blueTit, reviewed: true },
    ]);
  });

  it('a row that a program reviewed, takes the next result of the program', () => {
    for (const reviewed of [true, false]) {
      const rows = keepCorrections(
        [posted({ trackId: '1', speciesId: 5, reviewed })],
        [stored(7, { trackId: '1', ...byProgram })],
      );
      expect(brief(rows)).toEqual([[7, 5, reviewed]]);
    }
  });

  it('a row that a program reviewed and no longer reports, is removed', () => {
    expect(keepCorrections([], [stored(1, byProgram)])).toEqual([]);
  });
});

describe('keepCorrections of one bird', () => {
  const isOfOneBird = true;

  it('another name or start, is the same bird and keeps its correction', () => {
    const other = { speciesName: 'Robin', speciesId: 5 };
    for (const given of [{ startOffset: 30 }, other, { ...other, startOffset: 30, reviewed: true }]) {
      const rows = keepCorrections([posted(given)], [corrected(7)], { isOfOneBird });
      expect(brief(rows)).toEqual([[7, blueTit, true]]);
    }
  });

  it('rows that are stored twice, become one with the correction of either', () => {
    const rows = keepCorrections(
      [posted({ startOffset: 2 })],
      [stored(6), corrected(7, { startOffset: 9 })],
      {
        isOfOneBird,
      },
    );
    expect(rows).toMatchObject([{ id: 6, speciesId: blueTit, reviewed: true, inheritsFrom: 7 }]);
  });
});
