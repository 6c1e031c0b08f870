import { aDetection, aRecording } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { contentHash, recordingLock } from './recording-key.js';
import type { PostedRecording } from './recording-types.js';

describe('recordingLock', () => {
  it('camera and path, are told apart where they meet', () => {
    const locks = [recordingLock('a', 'b.mp4'), recordingLock('', 'ab.mp4'), recordingLock('ab', '.mp4')];
    expect(new Set(locks).size).toBe(3);
  });

  it('any key, is a number that PostgreSQL takes for a lock, the same each time', () => {
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

  it('the key of the recording, is no content', () => {
    expect(hash({ cameraId: 'other', videoPath: 'other.mp4' })).toBe(hash());
  });

  it('each thing that a post says, changes the hash', () => {
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
