import { describe, expect, it } from 'vitest';
import { planDays } from './day-plan.js';
import { fixedDays, lastDate, scaleNames, scales } from './scale.js';

const perRecording = 2.857;
const plans = planDays(scales['1m']);
const detections = plans.map(({ recordings }) => recordings * perRecording).sort((a, b) => a - b);
const quantile = (at: number) => detections[Math.floor(at * (detections.length - 1))];

describe('planDays', () => {
  it.each(scaleNames)('for %s, plans all recordings and ends on the last day', (name) => {
    const days = planDays(scales[name]);
    expect(days.length).toBe(scales[name].days);
    expect(days.at(-1)?.date).toBe(lastDate);
    expect(days.reduce((sum, { recordings }) => sum + recordings, 0)).toBe(scales[name].recordings);
  });

  it('for any scale, plans consecutive dates', () => {
    for (const [index, { start, date }] of plans.entries()) {
      expect(new Date(start).toISOString()).toBe(`${date}T00:00:00.000Z`);
      expect(start).toBe((plans[0]?.start ?? 0) + index * 86_400_000);
    }
  });

  it('for a million detections, gives the median day about 485', () => {
    expect(Math.abs((quantile(0.5) ?? 0) - 485)).toBeLessThan(15);
  });

  it('for a million detections, gives the 99th percentile about 1,750', () => {
    expect(Math.abs((quantile(0.99) ?? 0) - 1_750)).toBeLessThan(100);
  });

  it('for a million detections, makes D3000 the busiest day', () => {
    expect(Math.max(...plans.map(({ recordings }) => recordings))).toBe(fixedDays.D3000.recordings);
    expect(plans.find(({ date }) => date === fixedDays.D3000.date)?.recordings).toBe(
      fixedDays.D3000.recordings,
    );
  });

  it('for a million detections, leaves two per cent of the days empty', () => {
    const empty = plans.filter(({ recordings }) => recordings === 0).length;
    expect(Math.abs(empty / plans.length - 0.02)).toBeLessThan(0.006);
  });
});
