import { describe, expect, it } from 'vitest';
import { isNamed, summarizeDay } from './summarize-day';
import { aDetection, aVisit } from './testing/a-visit';

const hourOf = (instant: string) => new Date(instant).getUTCHours() + 0.5;
const tit = { species: { ...aVisit().species, id: 1, name: 'Great Tit' } };
const robin = { species: { ...aVisit().species, id: 2, name: 'European Robin' } };
const bird = { species: { ...aVisit().species, id: 3, name: 'Bird' } };

describe('summary of a day', () => {
  it('without visits, has 24 empty hours and no species', () => {
    expect(summarizeDay([], hourOf)).toEqual({
      species: [],
      visits: 0,
      nameless: 0,
      byHour: Array.from({ length: 24 }, () => 0),
    });
  });

  it('of a species, has its first and last time, most birds at once and surest picture', () => {
    const [summary] = summarizeDay(
      [
        aVisit({
          ...tit,
          start_time: '2026-05-04T09:00:00Z',
          max_simultaneous: 1,
          detections: [aDetection({ id: 8, confidence: 0.95, source: 'audio' })],
        }),
        aVisit({
          ...tit,
          start_time: '2026-05-04T06:00:00Z',
          max_simultaneous: 3,
          detections: [aDetection({ id: 6, confidence: 0.7 }), aDetection({ id: 7, confidence: 0.9 })],
        }),
      ],
      hourOf,
    ).species;
    expect(summary).toMatchObject({
      visits: 2,
      mostAtOnce: 3,
      firstAt: '2026-05-04T06:00:00Z',
      lastAt: '2026-05-04T09:00:00Z',
      bestDetectionId: 7,
    });
  });

  it('of several species, has those with most visits first, then the one that came last', () => {
    const at = (start_time: string) => ({ start_time: `2026-05-04T${start_time}:00Z` });
    const { species } = summarizeDay(
      [
        aVisit({ ...robin, ...at('11:00') }),
        aVisit({ ...tit, ...at('10:00') }),
        aVisit({ ...tit, ...at('09:00') }),
        aVisit({ species: { ...tit.species, id: 9, name: 'Dunnock' }, ...at('08:00') }),
      ],
      hourOf,
    );
    expect(species.map((one) => one.species.name)).toEqual(['Great Tit', 'European Robin', 'Dunnock']);
  });

  it('with visits that nobody named, counts them apart', () => {
    const { visits, nameless, species, byHour } = summarizeDay(
      [aVisit({ ...bird }), aVisit({ ...tit, start_time: '2026-05-04T07:10:00Z' })],
      hourOf,
    );
    expect([visits, nameless, species.length]).toEqual([1, 1, 1]);
    expect([byHour[7], byHour.reduce((sum, count) => sum + count)]).toEqual([1, 1]);
  });

  it('with a recording that is no visit, leaves it out', () => {
    const { visits, nameless } = summarizeDay([aVisit({ ...bird, timeline_kind: 'unlinked_video' })], hourOf);
    expect([visits, nameless]).toEqual([0, 0]);
  });

  it.each(['Bird', 'birds', 'UNKNOWN'])('a species %s, is no name', (name) => {
    expect(isNamed(aVisit({ species: { ...tit.species, name } }))).toBe(false);
  });

  it('a species that was only heard, is shown by its newest sound and by no picture', () => {
    const heardAt = (id: number, start_time: string) =>
      aVisit({
        ...tit,
        id,
        start_time,
        heard: { detection_id: id, video_id: id, from: 0, to: 1, recording_seconds: 30 },
        detections: [aDetection({ source: 'audio', video_id: id, start_time, end_time: start_time })],
      });
    const visits = [heardAt(1, '2026-05-04T08:00:00Z'), heardAt(2, '2026-05-04T08:00:30Z')];
    const [heard] = summarizeDay(visits, hourOf).species;
    expect(heard?.bestDetectionId).toBeUndefined();
    expect(heard?.heard).toMatchObject({ video_id: 2 });
    const seen = aVisit({ ...tit, id: 3, detections: [aDetection({ id: 9 })] });
    expect(summarizeDay([...visits, seen], hourOf).species[0]).toMatchObject({
      bestDetectionId: 9,
      heard: undefined,
    });
  });
});
