import type { DemoFood, WeatherHour } from './demo.store.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Simulates hourly weather at a latitude: seasons, time of day and fronts. */
export function planWeather(from: number, until: number, stepMs: number, latitude: number): WeatherHour[] {
  const hours: WeatherHour[] = [];
  for (let at = Math.ceil(from / stepMs) * stepMs; at < until; at += stepMs)
    hours.push(weatherAt(at, latitude));
  return hours;
}

function weatherAt(at: number, latitude: number): WeatherHour {
  const day = at / dayMs;
  const north = latitude >= 0 ? 1 : -1;
  const summer = Math.sin((2 * Math.PI * (day - 106)) / 365.25) * north;
  const noon = Math.sin(2 * Math.PI * (day - 0.4));
  // Incommensurable periods look random, but are deterministic.
  const front = (Math.sin(day / 1.9) + Math.sin(day / 3.3 + 1) + Math.sin(day / 7.1 + 2)) / 3;
  const clouds = Math.round(Math.min(100, Math.max(0, 52 + 70 * front)));
  const temp = 10.5 + 9.5 * summer + (4.2 - clouds / 40) * noon + 3 * Math.sin(day / 4.7);
  const isWet = clouds > 84;
  const [main, description] = isWet
    ? temp < 1
      ? (['Snow', 'light snow'] as const)
      : (['Rain', 'light rain'] as const)
    : clouds > 60
      ? (['Clouds', 'overcast'] as const)
      : clouds > 25
        ? (['Clouds', 'scattered clouds'] as const)
        : (['Clear', 'clear sky'] as const);
  return {
    at,
    main,
    description,
    temp: Math.round(temp * 10) / 10,
    humidity: Math.round(Math.min(98, Math.max(35, 68 + 22 * front - 12 * noon))),
    pressure: Math.round(1_016 - 11 * front),
    clouds,
    wind: Math.round((2.6 + 2.4 * Math.abs(front) + noon * 0.6) * 10) / 10,
  };
}

/** Returns foods and the periods in which they were offered in the months before an instant. */
export function planFoods(now: number): DemoFood[] {
  const ago = (days: number) => now - days * dayMs;
  return [
    {
      name: 'Sunflower hearts',
      description: 'For tits, finches and sparrows, all year round',
      periods: [{ from: ago(400) }],
    },
    {
      name: 'Peanuts',
      description: 'Unsalted, for woodpeckers, jays and nuthatches',
      periods: [{ from: ago(390), to: ago(240) }, { from: ago(52) }],
    },
    {
      name: 'Suet balls',
      description: 'Energy for cold days',
      periods: [{ from: ago(380), to: ago(265) }, { from: ago(20) }],
    },
    {
      name: 'Mealworms',
      description: 'For robins and wrens while they feed their young',
      periods: [{ from: ago(225), to: ago(140) }],
    },
  ];
}
