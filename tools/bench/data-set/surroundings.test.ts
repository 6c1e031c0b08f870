import { describe, expect, it } from 'vitest';
import { planDays } from './day-plan.js';
import { scales } from './scale.js';
import { foodPeriods, foods, weatherOf } from './surroundings.js';

const dayMs = 86_400_000;
const plans = planDays(scales['1m']);

describe('foodPeriods', () => {
  const periods = foodPeriods(plans);

  it('periods, of five years, follow one another every 91 days and the last is open', () => {
    expect(periods.length).toBe(21);
    for (const [index, { start, end }] of periods.entries()) {
      expect(end).toBe(periods[index + 1]?.start);
      if (end !== undefined) expect(end - start).toBe(91 * dayMs);
    }
  });

  it('foods, of each period, are three different ones, none of the period before', () => {
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

  it('hours, of a day, are 24 in order, numbered from the id given', () => {
    const hours = hoursOf(0);
    expect(hours.map(({ id }) => id)).toEqual(Array.from({ length: 24 }, (_, hour) => 25 + hour));
    expect(hours.map(({ at }) => new Date(at).getUTCHours())).toEqual(hours.map((_, hour) => hour));
  });

  it('temperatures, of July, are above those of January', () => {
    expect(meanTemp(195)).toBeGreaterThan(meanTemp(15) + 5);
  });
});
