import { describe, expect, it } from 'vitest';
import { planDays } from './day-plan.js';
import { scales } from './scale.js';
import { foodPeriods, foods, weatherOf } from './surroundings.js';

const dayMs = 86_400_000;
const plans = planDays(scales['1m']);

describe('foodPeriods', () => {
  const periods = foodPeriods(plans);

  it('over five years, follow one another every 91 days, the last without an end', () => {
    expect(periods.length).toBe(21);
    for (const [index, { start, end }] of periods.entries()) {
      expect(end).toBe(periods[index + 1]?.start);
      if (end !== undefined) expect(end - start).toBe(91 * dayMs);
    }
  });

  it('in each period, have three different foods, none of the period before', () => {
    for (const [index, { foods: chosen }] of periods.entries()) {
      expect(new Set(chosen).size).toBe(3);
      expect(chosen.every((food) => foods[food] !== undefined)).toBe(true);
      expect(periods[index - 1]?.foods.some((food) => chosen.includes(food)) ?? false).toBe(false);
    }
  });
});

describe('weatherOf', () => {
  const hoursOf = (index: number) => {
    const plan = plans[index];
    if (!plan) throw new Error('no such day');
    return weatherOf(plan, 25);
  };
  const meanTemp = (index: number) => hoursOf(index).reduce((sum, { temp }) => sum + temp, 0) / 24;

  it('for a day, returns 24 hours in order, numbered from the given id', () => {
    const hours = hoursOf(0);
    expect(hours.map(({ id }) => id)).toEqual(Array.from({ length: 24 }, (_, hour) => 25 + hour));
    expect(hours.map(({ at }) => new Date(at).getUTCHours())).toEqual(hours.map((_, hour) => hour));
  });

  it('in July, is warmer than in January', () => {
    expect(meanTemp(195)).toBeGreaterThan(meanTemp(15) + 5);
  });
});
