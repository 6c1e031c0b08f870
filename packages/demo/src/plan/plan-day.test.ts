import { dayNumber, dayOfNumber, localStamp, nextDay, startOfDay } from '@birdhub/shared/time';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../random/index.js';
import { birdListOf } from './bird-lists.js';
import { lastDays, type PlanOptions, planDay, visitAt } from './plan-day.js';
import { planVisit } from './plan-visit.js';
import { sunOf } from './sun.js';

const place = { latitude: 52.5, longitude: 13.4 };
const zone = 'Europe/Berlin';
const options: PlanOptions = { seed: '1', list: birdListOf('europe'), place, zone };
const dates = Array.from({ length: 30 }, (_, index) => dayOfNumber(dayNumber('2026-10-10') + index));
const days = dates.map((date) => ({ date, plan: planDay(date, options) }));
const all = days.flatMap(({ plan }) => plan);
const rows = all.flatMap(({ detections }) => detections);

describe('planDay', () => {
  it('a day planned twice, is the same, and differs with another seed', () => {
    const again = planDay('2026-11-01', options);
    expect(again).toEqual(planDay('2026-11-01', options));
    expect(again).not.toEqual(planDay('2026-11-01', { ...options, seed: '2' }));
    expect(again.length).not.toBe(0);
  });

  it('recordings of each day, are in order, inside the day and about a hundred', () => {
    for (const { date, plan } of days) {
      const starts = plan.map(({ startAt }) => startAt);
      expect(starts).toEqual([...starts].sort((one, other) => one - other));
      expect(Math.min(...starts)).toBeGreaterThanOrEqual(startOfDay(zone, date));
      expect(Math.max(...plan.map(({ endAt }) => endAt))).toBeLessThanOrEqual(
        startOfDay(zone, nextDay(date)),
      );
      expect(plan.length).toBeGreaterThanOrEqual(60);
      expect(plan.length).toBeLessThanOrEqual(140);
    }
  });

  it('paths in a month with a clock change, are unique and named by local time and camera', () => {
    expect(new Set(all.map(({ videoPath }) => videoPath)).size).toBe(all.length);
    for (const { videoPath, startAt, camera } of all) {
      const stamp = localStamp(zone, startAt).replaceAll('-', '/').replace('_', '/');
      expect(videoPath).toBe(`${stamp}_${camera}/video.mp4`);
    }
  });

  it('a camera, makes one recording at a time', () => {
    for (const camera of ['garden', 'balcony']) {
      const own = all.filter((recording) => recording.camera === camera);
      own.slice(1).forEach(({ startAt }, index) => {
        expect(startAt).toBeGreaterThan(own[index]?.endAt ?? Number.NaN);
      });
    }
  });

  it('recordings by daylight, are split between the cameras about 72 to 28', () => {
    const byDay = all.filter(({ clip }) => clip.light !== 'night');
    const share = byDay.filter(({ camera }) => camera === 'garden').length / byDay.length;
    expect(share).toBeGreaterThan(0.65);
    expect(share).toBeLessThan(0.8);
  });

  it('each night, has only the owl, heard in the first minute and seen at most once', () => {
    for (const { date, plan } of days) {
      const sun = sunOf(date, place);
      const dark = plan.filter(
        ({ startAt, endAt }) => endAt < sun.riseAt - 3_600_000 || startAt > sun.setAt + 3_600_000,
      );
      expect(dark[0]?.startAt).toBeLessThan(startOfDay(zone, date) + 60_000);
      const names = dark.flatMap(({ detections }) => detections.map(({ speciesName }) => speciesName));
      expect([...new Set(names)]).toEqual(['Tawny Owl']);
      expect(dark.filter(({ clip }) => clip.birds.length).length).toBeLessThanOrEqual(1);
    }
  });

  it('an owl present in a fifth of the nights, is heard in fewer than half of them', () => {
    const some = dates.map((date) => planDay(date, { ...options, owlNights: 0.2 }));
    const nights = some.filter((plan) =>
      plan.some(({ detections }) => detections.some(({ speciesName }) => speciesName === 'Tawny Owl')),
    );
    expect(nights.length).toBeGreaterThan(0);
    expect(nights.length).toBeLessThan(dates.length / 2);
  });

  it('a month, has flocks, songs, uncertain detections and recordings without a bird', () => {
    const share = (count: number, of: number) => count / of;
    expect(share(all.filter(({ detections }) => detections.length === 0).length, all.length)).toBeGreaterThan(
      0.03,
    );
    expect(rows.some(({ trackId }) => trackId === '3')).toBe(true);
    expect(share(rows.filter(({ source }) => source === 'audio').length, rows.length)).toBeGreaterThan(0.1);
    expect(rows.filter(({ confidence }) => confidence < 0.5).length).toBeGreaterThan(20);
    expect(rows.filter(({ speciesName }) => speciesName === 'Bird').length).toBeGreaterThan(5);
  });

  it('species of a month, include the whole list, and the first is the most common', () => {
    const counts = birdListOf('europe').birds.map(
      ({ name }) => rows.filter((row) => row.speciesName === name).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts[0]).toBeGreaterThan(Math.max(...counts.slice(4)));
  });

  it('detections of every recording, lie within its duration', () => {
    for (const { clip, detections } of all) {
      for (const row of detections) {
        expect(row.startOffset).toBeGreaterThanOrEqual(0);
        expect(row.endOffset).toBeGreaterThan(row.startOffset);
        expect(row.endOffset).toBeLessThanOrEqual(clip.seconds);
      }
    }
  });

  it('a day without sunrise, still has some recordings', () => {
    const polar = { ...options, place: { latitude: 78, longitude: 15 } };
    const plan = planDay('2026-12-21', polar);
    expect(plan.length).toBeGreaterThan(10);
  });
});

describe('planVisit', () => {
  const random = seededRandom('visits');
  const visits = Array.from({ length: 500 }, () =>
    visitAt(planVisit(random, birdListOf('europe'), { season: 'spring', light: 'day' }), 1.7e12, zone),
  );

  it('a visit of several recordings, has less than 60 s of silence between two of them', () => {
    const long = visits.filter((visit) => visit.length > 1);
    expect(long.length).toBeGreaterThan(100);
    for (const visit of long) {
      visit.slice(1).forEach(({ startAt, detections }, index) => {
        const before = visit[index];
        if (before === undefined) throw new Error('a visit has no holes');
        const lastSeen =
          before.startAt + 1000 * Math.max(...before.detections.map(({ endOffset }) => endOffset));
        const seenAgain = startAt + 1000 * Math.min(...detections.map(({ startOffset }) => startOffset));
        expect(startAt).toBeGreaterThan(before.endAt);
        expect(seenAgain - lastSeen).toBeLessThan(60_000);
      });
    }
  });

  it('every visit, stays on one camera with one species, apart from uncertain detections', () => {
    for (const visit of visits) {
      const names = visit.flatMap(({ detections }) => detections.map(({ speciesName }) => speciesName));
      expect(new Set(visit.map(({ camera }) => camera)).size).toBe(1);
      expect(new Set(names.filter((name) => name !== 'Bird')).size).toBeLessThanOrEqual(1);
    }
  });
});

describe('lastDays', () => {
  it('across a clock change, are consecutive, the newest first', () => {
    const now = Date.parse('2026-10-26T00:30:00+01:00');
    expect(lastDays(zone, now, 3)).toEqual(['2026-10-26', '2026-10-25', '2026-10-24']);
  });
});
