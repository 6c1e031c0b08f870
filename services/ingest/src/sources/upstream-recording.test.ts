import { checkVideoPath } from '@birdhub/domain/media';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upstreamDetection, upstreamEvent } from '../testing/fake-upstream.js';
import { toEnglish } from './sentences.js';
import { cleanEvent, clipSpanOf, nextReread, pathOf, toRecording } from './upstream-recording.js';

const now = Date.UTC(2026, 4, 1, 12);
const day = 86_400_000;
const source = {
  id: 3,
  name: 'Garden',
  kind: 'frigate' as const,
  options: { cameras: {}, writeBack: false },
};
const stored = {
  cameraId: 'garden',
  videoPath: 'data/recordings/a/clip.mp4',
  videoId: null,
  clipStart: null,
  clipEnd: null,
};

describe('recording of an upstream event', () => {
  it('any id, becomes a valid path, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }), (upstreamId) => {
        const path = pathOf(upstreamEvent({ start: now, upstreamId }), source);
        expect(checkVideoPath(path)).toBeUndefined();
        expect(path).toMatch(/^data\/recordings\/sources\/3\/2026\/05\/01\/[\w.-]+\/clip\.mp4$/);
        expect(pathOf(upstreamEvent({ start: now, upstreamId }), source)).toBe(path);
      }),
    );
  });

  it('any numbers and texts, are limited to the recording', () => {
    const wild = fc.record({
      startOffset: fc.double(),
      endOffset: fc.double(),
      confidence: fc.double(),
      speciesName: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(fc.double(), fc.array(wild), (end, rows) => {
        const event = upstreamEvent({ start: now, end, detections: rows.map(upstreamDetection) });
        const clean = cleanEvent(event, now);
        if ('code' in clean) throw new Error(toEnglish(clean));
        const recording = toRecording(clean, { source, stored, hasFile: false });
        const seconds = (recording.end - recording.start) / 1000;
        expect(seconds).toBeLessThanOrEqual(86_400);
        for (const { startOffset, endOffset, confidence, speciesName } of recording.detections) {
          expect(startOffset).toBeGreaterThanOrEqual(0);
          expect(endOffset).toBeGreaterThanOrEqual(startOffset);
          expect(endOffset).toBeLessThanOrEqual(seconds + 0.01);
          expect(confidence >= 0 && confidence <= 1).toBe(true);
          expect(speciesName).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });

  it('a file that begins earlier, shifts the detections', () => {
    const event = upstreamEvent({
      start: now,
      detections: [upstreamDetection({ startOffset: 1, endOffset: 2 })],
    });
    const clip = { ...stored, clipStart: now - 5_000, clipEnd: now + 10_000 };
    const recording = toRecording(event, { source, stored: clip, hasFile: true });
    expect(recording).toMatchObject({
      start: now - 5_000,
      end: now + 10_000,
      detections: [{ startOffset: 6, endOffset: 7 }],
    });
  });

  it.each([
    ['as long as the call', 3, { start: 0, end: 3_000, call: [0, 3] }],
    ['of the usual length', 6, { start: -1_500, end: 4_500, call: [1.5, 4.5] }],
    ['of a long one', 15, { start: -6_000, end: 9_000, call: [6, 9] }],
    ['cut off by the end of the recording', 4.5, { start: -750, end: 3_750, call: [0.75, 3.75] }],
  ])('with the call in the middle of a file, %s, has the times of the file', (_what, seconds, expected) => {
    // Posted before its file was available, as six seconds with the call in the middle.
    const event = upstreamEvent({
      start: now - 1_500,
      end: now + 4_500,
      detections: [upstreamDetection({ startOffset: 1.5, endOffset: 4.5 })],
    });
    const posted = { ...stored, start: event.start, end: event.end };
    const span = clipSpanOf(posted, seconds, now + 1_500);
    const clip = { ...stored, clipStart: span?.start ?? null, clipEnd: span?.end ?? null };
    const { start, end, detections } = toRecording(event, { source, stored: clip, hasFile: true });
    const [call] = detections;
    expect({ start: start - now, end: end - now, call: [call?.startOffset, call?.endOffset] }).toEqual(
      expected,
    );
    // Fetching it again changes nothing.
    const again = { ...posted, clipStart: clip.clipStart, clipEnd: clip.clipEnd };
    expect(clipSpanOf(again, seconds, now + 1_500)).toBeUndefined();
  });

  it('with a file of unknown or excessive length, keeps its times', () => {
    const posted = { ...stored, start: now, end: now + 10_000 };
    expect(clipSpanOf(posted, undefined, now)).toBeUndefined();
    expect(clipSpanOf(posted, 90_000)).toBeUndefined();
    expect(clipSpanOf(posted, 5)).toEqual({ start: now, end: now + 5_000 });
  });

  it('is read again at the intervals of its kind, then daily, then never', () => {
    const event = { isOpen: false, end: now, rereadAfterMs: [10_000, 60_000] };
    expect(nextReread(event, 7, now)).toBe(now + 10_000);
    expect(nextReread(event, 7, now + 10_000)).toBe(now + 60_000);
    expect(nextReread(event, 7, now + 60_000)).toBe(now + 60_000 + day);
    expect(nextReread(event, 7, now + 8 * day)).toBeUndefined();
    expect(nextReread(event, 0, now + 60_000)).toBeUndefined();
  });
});
