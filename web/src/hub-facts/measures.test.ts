import { describe, expect, it } from 'vitest';
import { createMeasures } from './measures';

/** Spaces that do not break are written as any other here. */
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('createMeasures', () => {
  it.each([
    ['en-GB', 'metric', '12°C', '3 m/s'],
    ['de', 'metric', '12 °C', '3 m/s'],
    ['ru', 'metric', '12 °C', '3 м/с'],
    ['en-US', 'imperial', '54°F', '7 mph'],
  ] as const)('%s in %s units, writes %s and %s', (language, units, temperature, speed) => {
    const measures = createMeasures(language, units);
    expect(plain(measures.temperature(12.3))).toBe(temperature);
    expect(plain(measures.speed(3.1))).toBe(speed);
  });

  it('a little below zero, has no minus', () => {
    expect(createMeasures('en-GB', 'metric').temperature(-0.4)).toBe('0°C');
    expect(createMeasures('en-GB', 'metric').temperature(-0.6)).toBe('-1°C');
    expect(createMeasures('en-US', 'imperial').temperature(-18)).toBe('0°F');
  });

  it('digits that are asked for, are there', () => {
    expect(createMeasures('en-US', 'imperial').temperature(12.34, 1)).toBe('54.2°F');
  });
});
