import { anyDetections } from '@birdhub/testing/arbitrary-detections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxSimultaneous } from './max-simultaneous.js';
import type { RuleDetection } from './visit-runs.js';

function seen(start: number, end: number, cameraId = 'north'): RuleDetection {
  return { id: start, start, end, source: 'video', cameraId };
}

function heard(start: number, end: number): RuleDetection {
  return { ...seen(start, end), source: 'audio' };
}

/** Looks at every millisecond of every camera. */
function countByInstants(detections: RuleDetection[]): number {
  let greatest = 1;
  for (const cameraId of ['', 'north', 'south']) {
    for (let at = 0; at <= 1000; at += 1) {
      const present = detections.filter(
        ({ source, start, end, ...d }) =>
          source === 'video' && d.cameraId === cameraId && start <= at && (at < end || at === start),
      );
      greatest = Math.max(greatest, present.length);
    }
  }
  return greatest;
}

describe('maxSimultaneous', () => {
  it.each([
    ['three overlap at one instant', [seen(0, 10), seen(5, 20), seen(9, 12)], 3],
    ['three overlap in pairs only', [seen(0, 10), seen(5, 20), seen(15, 30)], 2],
    ['one ends when the other starts', [seen(0, 10), seen(10, 20)], 1],
    ['a track of no length inside another', [seen(0, 10), seen(4, 4)], 2],
    ['a track of no length at the end of another', [seen(0, 10), seen(10, 10)], 1],
    ['a track of no length where another starts', [seen(10, 10), seen(10, 20)], 2],
    ['a track of no length just before another', [seen(9, 9), seen(10, 20)], 1],
    ['two tracks of no length together', [seen(7, 7), seen(7, 7)], 2],
    ['two cameras see two and one, the maximum', [seen(0, 9), seen(0, 9), seen(0, 9, 'south')], 2],
    ['sound does not add to the picture', [seen(0, 10), heard(0, 10), heard(0, 10)], 1],
    ['only sound', [heard(0, 10), heard(0, 10)], 1],
  ])('%s, is counted so', (_, detections, expected) => {
    expect(maxSimultaneous(detections)).toBe(expected);
  });

  it('any detections, equals a count at every instant', () => {
    fc.assert(
      fc.property(anyDetections, (detections) => {
        expect(maxSimultaneous(detections)).toBe(countByInstants(detections));
      }),
      { numRuns: 300 },
    );
  });

  it('any order of the same detections, gives the same count', () => {
    fc.assert(
      fc.property(anyDetections, (detections) => {
        expect(maxSimultaneous(detections.toReversed())).toBe(maxSimultaneous(detections));
      }),
    );
  });
});
