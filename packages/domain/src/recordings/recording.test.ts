import { aDetection, aRecording } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import {
  contentHash,
  type DetectionRow,
  type PostedRecording,
  recordingLock,
  toAdded,
  toStored,
  visitsOfAdded,
} from './recording.js';

describe('recordingLock', () => {
  it('camera and path that concatenate to the same text, have different keys', () => {
    const locks = [recordingLock('a', 'b.mp4'), recordingLock('', 'ab.mp4'), recordingLock('ab', '.mp4')];
    expect(new Set(locks).size).toBe(3);
  });

  it('any key, is a 32-bit integer, the same each time', () => {
    for (const path of ['', 'a', 'ü'.repeat(512)]) {
      const lock = recordingLock('garden', path);
      expect(lock).toBe(recordingLock('garden', path));
      expect(lock).toBe(lock | 0);
    }
  });
});

describe('contentHash', () => {
  const resolved = (given: Parameters<typeof aDetection>[0] = {}) => ({ ...aDetection(given), speciesId: 1 });
  const hash = (given: Partial<PostedRecording> = {}, detections = [resolved()]) =>
    contentHash(aRecording(given), JSON.stringify(detections)).toString('hex');

  it('the same post, has the same hash', () => {
    expect(hash()).toBe(hash());
  });

  it('the key of the recording, does not change the hash', () => {
    expect(hash({ cameraId: 'other', videoPath: 'other.mp4' })).toBe(hash());
  });

  it('every other posted value, changes the hash', () => {
    const frames = [{ t: 0, bbox: [0, 0, 1, 1] as const }];
    const all = [
      hash(),
      hash({ processorVersion: '2' }),
      hash({ start: 1 }),
      hash({ end: 1 }),
      hash({ spectrogramPath: 'a.jpg' }),
      hash({ triggerSource: 'motion' }),
      hash({ extra: { a: 1 } }),
      hash({}, []),
      hash({}, [resolved(), resolved()]),
      hash({}, [{ ...resolved(), speciesId: 2 }]),
      hash({}, [resolved({ confidence: 0.91 })]),
      hash({}, [resolved({ startOffset: 0.001 })]),
      hash({}, [resolved({ endOffset: 2.001 })]),
      hash({}, [resolved({ source: 'audio' })]),
      hash({}, [resolved({ trackId: '1' })]),
      hash({}, [resolved({ provider: 'a' })]),
      hash({}, [resolved({ frames })]),
      hash({}, [resolved({ extra: { a: 1 } })]),
      hash({}, [resolved({ speciesName: 'Other' })]),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

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
  it('rows, get absolute times, rounded to the millisecond', () => {
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

  it('rows without an id, get distinct negative ones', () => {
    expect(toAdded(recording, [row(), row({ id: 3 }), row()]).map((added) => added.id)).toEqual([-1, 3, -3]);
  });
});

describe('visitsOfAdded', () => {
  const rows = [row({ id: 5 }), row({ startOffset: 1 })];
  const added = toAdded(recording, rows);

  it('each detection, gets the visit that the rule assigned', () => {
    const visitOf = new Map([
      [5, 70],
      [-2, 71],
    ]);
    expect(visitsOfAdded(added, { visitOf, visits: [], touched: [] })).toEqual([70, 71]);
  });

  it('a detection without an assigned visit, throws', () => {
    const visitOf = new Map([[5, 70]]);
    expect(() => visitsOfAdded(added, { visitOf, visits: [], touched: [] })).toThrow('assigned no visit');
  });
});

describe('toStored', () => {
  it('stored rows, keep their own times and take the camera', () => {
    const known = { ...row(), id: 8, visitId: 3, start: 5, end: 9 };
    expect(toStored('south', [known])).toEqual([
      { id: 8, speciesId: 4, visitId: 3, source: 'video', cameraId: 'south', start: 5, end: 9 },
    ]);
  });
});
