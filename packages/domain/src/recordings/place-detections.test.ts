import { aDetection, aRecording } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { toAdded, toStored, visitsOfAdded } from './place-detections.js';
import type { DetectionRow } from './recording-types.js';

const row = (given: Partial<DetectionRow> = {}): DetectionRow => ({
  ...aDetection(given),
  id: undefined,
  speciesId: 4,
  originalSpeciesId: null,
  reviewed: false,
  reviewedAt: null,
  ...given,
});

const recording = aRecording({ start: 1_000_000, cameraId: 'north' });

describe('toAdded', () => {
  it('rows, become instants of the recording, rounded to the millisecond', () => {
    const [added] = toAdded(recording, [row({ id: 12, startOffset: 0.1234, endOffset: 1.0006 })]);
    expect(added).toEqual({
      id: 12,
      speciesId: 4,
      source: 'video',
      cameraId: 'north',
      start: 1_000_123,
      end: 1_001_001,
    });
  });

  it('rows without id, get negative ones that differ', () => {
    expect(toAdded(recording, [row(), row({ id: 3 }), row()]).map((added) => added.id)).toEqual([-1, 3, -3]);
  });
});

describe('visitsOfAdded', () => {
  const rows = [row({ id: 5 }), row({ startOffset: 1 })];
  const added = toAdded(recording, rows);

  it('each detection, gets the visit that the rule found', () => {
    const visitOf = new Map([
      [5, 70],
      [-2, 71],
    ]);
    expect(visitsOfAdded(added, { visitOf, visits: [], touched: [] })).toEqual([70, 71]);
  });

  it('a detection that the rule left out, is an error', () => {
    const visitOf = new Map([[5, 70]]);
    expect(() => visitsOfAdded(added, { visitOf, visits: [], touched: [] })).toThrow('without a visit');
  });
});

describe('toStored', () => {
  it('stored rows, keep their own instants and take the camera', () => {
    const known = { ...row(), id: 8, visitId: 3, start: 5, end: 9 };
    expect(toStored('south', [known])).toEqual([
      { id: 8, speciesId: 4, visitId: 3, source: 'video', cameraId: 'south', start: 5, end: 9 },
    ]);
  });
});
