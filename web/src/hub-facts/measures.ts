import type { HubFacts } from './hub-facts';

/** Ways to write what was measured, in a language (BCP 47) and its units. */
export interface Measures {
  /** Of °C; such as `12 °C` or `54°F`. */
  readonly temperature: (celsius: number, digits?: number) => string;
  /** Of m/s; such as `3 m/s` or `7 mph`. */
  readonly speed: (metresPerSecond: number, digits?: number) => string;
}

const mphInMetresPerSecond = 0.447_04;

/** @see Measures */
export function createMeasures(language: string, units: HubFacts['units']): Measures {
  const write = (value: number, unit: string, digits: number) =>
    // A little below zero is no minus zero.
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      maximumFractionDigits: digits,
      signDisplay: 'negative',
    }).format(value);
  if (units === 'imperial') {
    return {
      temperature: (celsius, digits = 0) => write(celsius * 1.8 + 32, 'fahrenheit', digits),
      speed: (metres, digits = 0) => write(metres / mphInMetresPerSecond, 'mile-per-hour', digits),
    };
  }
  return {
    temperature: (celsius, digits = 0) => write(celsius, 'celsius', digits),
    speed: (metres, digits = 0) => write(metres, 'meter-per-second', digits),
  };
}
