import { describe, expect, it } from 'vitest';
import { birdLists, coats, regions } from './bird-lists.js';
import { trackOf } from './clip-tracks.js';
import { clipsOf, clipVariants, emptyClips } from './clip-variants.js';
import { picture } from './motion-path.js';

const subjects = clipVariants.flatMap((clip) => clip.subjects.map((subject) => ({ clip, subject })));

describe('clipVariants', () => {
  it('names, of all clips, are unique and lengths from 6 to 30 seconds', () => {
    expect(new Set(clipVariants.map(({ name }) => name)).size).toBe(clipVariants.length);
    const lengths = clipVariants.map(({ seconds }) => seconds);
    expect(Math.min(...lengths)).toBe(6);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(30);
  });

  it('clips, for every coat and flock of both lists, exist', () => {
    for (const coat of coats) expect(clipsOf(coat, 1).length).toBeGreaterThanOrEqual(2);
    for (const { coat, flock } of regions.flatMap((region) => birdLists[region].birds)) {
      expect(clipsOf(coat, flock).length).toBeGreaterThanOrEqual(1);
    }
  });

  it('emptyClips, by day and by night, show no bird', () => {
    const clips = [...emptyClips('day'), ...emptyClips('night')];
    expect(clips.map(({ name }) => name)).toEqual(['garden-short', 'garden-long', 'night']);
    expect(clips.flatMap((clip) => clip.subjects)).toEqual([]);
  });
});

describe('trackOf', () => {
  it('boxes, of every bird of every clip, stay inside the picture and have a size', () => {
    expect(subjects.length).toBeGreaterThan(20);
    for (const { subject } of subjects) {
      for (const { bbox } of trackOf(subject).frames) {
        const [x1, y1, x2, y2] = bbox;
        expect(Math.min(x1, y1)).toBeGreaterThanOrEqual(0);
        expect(Math.max(x2, y2)).toBeLessThanOrEqual(1);
        expect(Math.min(x2 - x1, y2 - y1)).toBeGreaterThan(0.05);
      }
    }
  });

  it('track, of every bird, lies inside its clip and its frames inside the track, four a second', () => {
    for (const { clip, subject } of subjects) {
      const { start, end, frames } = trackOf(subject);
      const times = frames.map(({ t }) => t);
      expect(start).toBeGreaterThan(0);
      expect(end).toBeLessThan(clip.seconds);
      expect([times[0], Math.max(...times) <= end]).toEqual([start, true]);
      expect(frames.length).toBe(Math.floor((subject.toFrame - subject.fromFrame) / 3) + 1);
    }
  });

  it('bird, from one box to the next, moves and never jumps', () => {
    for (const { subject } of subjects) {
      const lefts = trackOf(subject).frames.map(({ bbox }) => bbox[0] * picture.width);
      const steps = lefts.slice(1).map((left, index) => Math.abs(left - (lefts[index] ?? Number.NaN)));
      expect(Math.max(...lefts) - Math.min(...lefts)).toBeGreaterThan(20);
      expect(Math.max(...steps)).toBeLessThan(100);
    }
  });

  it('birds, of one clip, never cover each other', () => {
    for (const { subjects: birds } of clipVariants.filter((clip) => clip.subjects.length > 1)) {
      const spans = birds.map((bird) => trackOf(bird).frames.map(({ bbox }) => bbox));
      spans.slice(1).forEach((boxes, index) => {
        const rightmost = Math.max(...(spans[index] ?? []).map((box) => box[2]));
        expect(Math.min(...boxes.map((box) => box[0]))).toBeGreaterThanOrEqual(rightmost);
      });
    }
  });
});
