import { aDetection } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { keepCorrections } from './keep-corrections.js';
import type { ResolvedDetection, StoredRow } from './recording-types.js';

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
  it('rows that nobody reviewed, keep their ids and take what was posted', () => {
    const rows = keepCorrections([posted({ confidence: 0.2 })], [stored(7, { confidence: 0.9 })]);
    expect(rows).toEqual([
      { ...posted({ confidence: 0.2 }), id: 7, originalSpeciesId: null, reviewed: false, reviewedAt: null },
    ]);
  });

  it('a corrected row, keeps species, time of review and what the processor says now', () => {
    const [row] = keepCorrections([posted({ speciesId: 3 })], [corrected(7)]);
    expect(row).toMatchObject({
      id: 7,
      speciesId: blueTit,
      originalSpeciesId: 3,
      reviewed: true,
      reviewedAt,
    });
  });

  it('a confirmed row, stays reviewed without another species', () => {
    const [row] = keepCorrections([posted()], [stored(7, { reviewed: true, reviewedAt })]);
    expect(row).toMatchObject({ id: 7, speciesId: greatTit, originalSpeciesId: null, reviewed: true });
  });

  it('names in another spelling, are the same name', () => {
    const rows = keepCorrections([posted({ speciesName: 'great-TIT' })], [corrected(7)]);
    expect(brief(rows)).toEqual([[7, blueTit, true]]);
  });

  it('another source, name or track, is another bird and the corrected row stays', () => {
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

  it('the same track from picture and sound, are two birds', () => {
    const rows = keepCorrections(
      [posted({ trackId: '1', source: 'audio' })],
      [corrected(7, { trackId: '1' })],
    );
    expect(brief(rows)).toEqual([
      [undefined, greatTit, false],
      [7, blueTit, true],
    ]);
  });

  it('a track in fewer pieces, answers for all of them', () => {
    const pieces = [0, 3, 6].map((startOffset, at) => corrected(at + 1, { trackId: '1', startOffset }));
    const rows = keepCorrections([posted({ trackId: '1', startOffset: 3.1 })], pieces);
    expect(brief(rows)).toEqual([[2, blueTit, true]]);
  });

  it('a track in which only one piece was reviewed, is that species in all pieces', () => {
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

  it('rows in any order, are answered in the order that was posted', () => {
    const rows = [8, 0, 4].map((startOffset) => posted({ startOffset }));
    const known = [0, 4, 8].map((startOffset, at) => stored(at + 1, { startOffset }));
    expect(keepCorrections(rows, known).map((row) => row.id)).toEqual([3, 1, 2]);
  });

  it('nothing posted, leaves the reviewed rows alone', () => {
    expect(keepCorrections([], [stored(1), corrected(2), stored(3, { trackId: '1' })])).toEqual([
      corrected(2),
    ]);
  });
});
