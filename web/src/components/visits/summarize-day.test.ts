import { describe, expect, it } from 'vitest';
import { createDetection, createVisit } from '../../testing/factories';
import { isNamed, summarizeDay } from './summarize-day';

const hourOf = (instant: string) => new Date(instant).getUTCHours() + 0.5;
const tit = { species: { ...createVisit().species, id: 1, name: 'Great Tit' } };
const robin = { species: { ...createVisit().species, id: 2, name: 'European Robin' } };
const bird = { species: { ...createVisit().species, id: 3, name: 'Bird' } };

describe('summarizeDay', () => {
  it('without visits, returns 24 empty hours and no species', () => {
    expect(summarizeDay([], hourOf)).toEqual({
      species: [],
      visits: 0,
      unnamed: 0,
      byHour: Array.from({ length: 24 }, () => 0),
    });
  });

  it('with one species, returns its first and last time, maximum at once and best picture', () => {
    const [summary] = summarizeDay(
      [
        createVisit({
          ...tit,
          start_time: '2026-05-04T09:00:00Z',
          max_simultaneous: 1,
          detections: [createDetection({ id: 8, confidence: 0.95, source: 'audio' })],
        }),
        createVisit({
          ...tit,
          start_time: '2026-05-04T06:00:00Z',
          max_simultaneous: 3,
          detections: [
            createDetection({ id: 6, confidence: 0.7 }),
            createDetection({ id: 7, confidence: 0.9 }),
          ],
        }),
      ],
      hourOf,
    ).species;
    expect(summary).toMatchObject({
      visits: 2,
      maxAtOnce: 3,
      firstAt: '2026-05-04T06:00:00Z',
      lastAt: '2026-05-04T09:00:00Z',
      bestDetectionId: 7,
    });
  });

  it('with several species, sorts by visits and then by the latest time', () => {
    const at = (start_time: string) => ({ start_time: `2026-05-04T${start_time}:00Z` });
    const { species } = summarizeDay(
      [
        createVisit({ ...robin, ...at('11:00') }),
        createVisit({ ...tit, ...at('10:00') }),
        createVisit({ ...tit, ...at('09:00') }),
        createVisit({ species: { ...tit.species, id: 9, name: 'Dunnock' }, ...at('08:00') }),
      ],
      hourOf,
    );
    expect(species.map((one) => one.species.name)).toEqual(['Great Tit', 'European Robin', 'Dunnock']);
  });

  it('with unnamed visits, counts them separately', () => {
    const { visits, unnamed, species, byHour } = summarizeDay(
      [createVisit({ ...bird }), createVisit({ ...tit, start_time: '2026-05-04T07:10:00Z' })],
      hourOf,
    );
    expect([visits, unnamed, species.length]).toEqual([1, 1, 1]);
    expect([byHour[7], byHour.reduce((sum, count) => sum + count)]).toEqual([1, 1]);
  });

  it('with a recording that is no visit, leaves it out', () => {
    const { visits, unnamed } = summarizeDay(
      [createVisit({ ...bird, timeline_kind: 'unlinked_video' })],
      hourOf,
    );
    expect([visits, unnamed]).toEqual([0, 0]);
  });

  it.each(['Bird', 'birds', 'UNKNOWN'])('a species called %s, counts as unnamed', (name) => {
    expect(isNamed(createVisit({ species: { ...tit.species, name } }))).toBe(false);
  });

  it('with a species only heard, returns its newest sound and no picture', () => {
    const heardAt = (id: number, start_time: string) =>
      createVisit({
        ...tit,
        id,
        start_time,
        heard: { detection_id: id, video_id: id, media_kind: 'audio', from: 0, to: 1, recording_seconds: 30 },
        detections: [createDetection({ source: 'audio', video_id: id, start_time, end_time: start_time })],
      });
    const visits = [heardAt(1, '2026-05-04T08:00:00Z'), heardAt(2, '2026-05-04T08:00:30Z')];
    const [heard] = summarizeDay(visits, hourOf).species;
    expect(heard?.bestDetectionId).toBeUndefined();
    expect(heard?.heard).toMatchObject({ video_id: 2 });
    const seen = createVisit({ ...tit, id: 3, detections: [createDetection({ id: 9 })] });
    expect(summarizeDay([...visits, seen], hourOf).species[0]).toMatchObject({
      bestDetectionId: 9,
      heard: undefined,
    });
  });
});
