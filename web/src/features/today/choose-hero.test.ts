import { describe, expect, it } from 'vitest';
import type { Highlight } from '../../components/highlights/highlight-reel';
import { createDetection, createHighlight, createVisit } from '../../testing/factories';
import { chooseHero } from './choose-hero';

const now = Date.parse('2026-05-04T09:00:00Z');
const seen = (minutesAgo: number, more: Parameters<typeof createVisit>[0] = {}) => {
  const end_time = new Date(now - minutesAgo * 60_000).toISOString();
  return createVisit({
    id: minutesAgo,
    end_time,
    detections: [createDetection({ id: 10 * minutesAgo })],
    ...more,
  });
};
const heard = (minutesAgo: number) =>
  seen(minutesAgo, {
    media_kind: 'audio',
    detections: [createDetection({ id: 10 * minutesAgo, source: 'audio' })],
    heard: { detection_id: 1, video_id: 1, media_kind: 'audio', from: 0, to: 1, recording_seconds: 9 },
  });
const best: readonly Highlight[] = [createHighlight({ detection_id: 77, seconds: 3.5 })];

describe('chooseHero', () => {
  it('with a bird of the last half hour, shows the newest', () => {
    expect(chooseHero([seen(5), seen(50)], best, now)).toMatchObject({ kind: 'newest', detectionId: 50 });
  });

  it('with a newer bird that was only heard, still shows the one that was seen', () => {
    expect(chooseHero([heard(2), seen(5)], [], now)).toMatchObject({ detectionId: 50, mediaKind: 'video' });
  });

  it('after half an hour, shows the best moment of the day from its best second', () => {
    expect(chooseHero([seen(31)], best, now)).toMatchObject({ kind: 'best', detectionId: 77, seconds: 3.5 });
  });

  it('without a best moment, shows the newest bird seen, or else the newest sound', () => {
    const soundOnly = [createHighlight({ source: 'audio' })];
    expect(chooseHero([seen(90), seen(99)], [], now)).toMatchObject({ detectionId: 900 });
    expect(chooseHero([heard(90)], soundOnly, now)).toMatchObject({ mediaKind: 'audio', heard: { to: 1 } });
  });

  it('with only unnamed birds and other animals, shows none', () => {
    const species = createVisit().species;
    const visits = [
      seen(1, { species: { ...species, name: 'Bird' } }),
      seen(2, { species: { ...species, group: 'other_animal' } }),
    ];
    expect(chooseHero(visits, [], now)).toBeUndefined();
    expect(chooseHero([], [], now)).toBeUndefined();
  });
});
