/** What the sky does, in a word of OpenWeather's and in a few words. */
export interface Condition {
  readonly main: string | null;
  readonly description: string | null;
}

type Words = readonly [main: string, description: string];

/** WMO code table 4677, as far as Open-Meteo uses it. */
const wmoCodes = new Map<number | null, Words>([
  [0, ['Clear', 'clear sky']],
  [1, ['Clear', 'mainly clear']],
  [2, ['Clouds', 'partly cloudy']],
  [3, ['Clouds', 'overcast']],
  [45, ['Fog', 'fog']],
  [48, ['Fog', 'freezing fog']],
  [51, ['Drizzle', 'light drizzle']],
  [53, ['Drizzle', 'drizzle']],
  [55, ['Drizzle', 'dense drizzle']],
  [56, ['Drizzle', 'light freezing drizzle']],
  [57, ['Drizzle', 'dense freezing drizzle']],
  [61, ['Rain', 'light rain']],
  [63, ['Rain', 'rain']],
  [65, ['Rain', 'heavy rain']],
  [66, ['Rain', 'light freezing rain']],
  [67, ['Rain', 'heavy freezing rain']],
  [71, ['Snow', 'light snow']],
  [73, ['Snow', 'snow']],
  [75, ['Snow', 'heavy snow']],
  [77, ['Snow', 'snow grains']],
  [80, ['Rain', 'light showers']],
  [81, ['Rain', 'showers']],
  [82, ['Rain', 'violent showers']],
  [85, ['Snow', 'light snow showers']],
  [86, ['Snow', 'heavy snow showers']],
  [95, ['Thunderstorm', 'thunderstorm']],
  [96, ['Thunderstorm', 'thunderstorm with light hail']],
  [99, ['Thunderstorm', 'thunderstorm with heavy hail']],
]);

/** The states of weather entities of Home Assistant. */
const homeAssistantStates = new Map<string | null, Words>([
  ['clear-night', ['Clear', 'clear night']],
  ['sunny', ['Clear', 'sunny']],
  ['partlycloudy', ['Clouds', 'partly cloudy']],
  ['cloudy', ['Clouds', 'cloudy']],
  ['fog', ['Fog', 'fog']],
  ['rainy', ['Rain', 'rain']],
  ['pouring', ['Rain', 'pouring rain']],
  ['snowy', ['Snow', 'snow']],
  ['snowy-rainy', ['Snow', 'snow and rain']],
  ['hail', ['Hail', 'hail']],
  ['lightning', ['Thunderstorm', 'thunderstorm']],
  ['lightning-rainy', ['Thunderstorm', 'thunderstorm with rain']],
  ['windy', ['Wind', 'windy']],
  ['windy-variant', ['Wind', 'windy and cloudy']],
  ['exceptional', ['Exceptional', 'exceptional']],
]);

/** The condition of a WMO code; unknown when it is none that Open-Meteo uses. */
export function conditionOfWmoCode(code: number | null): Condition {
  const [main = null, description = null] = wmoCodes.get(code) ?? [];
  return { main, description };
}

/** The condition of a state of Home Assistant; one that is not known describes itself. */
export function conditionOfState(state: string | null): Condition {
  const [main = null, description = state] = homeAssistantStates.get(state) ?? [];
  return { main, description };
}

type Scale = readonly [factor: number, zero: number];

/** What is read when a source names no unit comes first. */
const scales = {
  celsius: { '°C': [1, 0], '°F': [5 / 9, -160 / 9], K: [1, -273.15] },
  hectopascals: {
    hPa: [1, 0],
    mbar: [1, 0],
    Pa: [0.01, 0],
    kPa: [10, 0],
    inHg: [33.863_886_67, 0],
    mmHg: [1.333_223_87, 0],
    psi: [68.947_572_93, 0],
  },
  metresPerSecond: {
    'km/h': [1 / 3.6, 0],
    'm/s': [1, 0],
    mph: [0.447_04, 0],
    'mi/h': [0.447_04, 0],
    kn: [0.514_444_44, 0],
    'ft/s': [0.3048, 0],
  },
} as const satisfies Record<string, Record<string, Scale>>;

/** A quantity that weather sources give in units of their own, named by the unit it is kept in. */
export type Quantity = keyof typeof scales;

/** A value in the unit it is kept in, to a hundredth; null without a value or in a unit that nobody knows. */
export function convert(quantity: Quantity, value: number | null, unit: string | null): number | null {
  const known: [string, Scale][] = Object.entries(scales[quantity]);
  const [, scale] = known.find(([name]) => name === (unit ?? name)) ?? [];
  if (value === null || !scale) return null;
  return Math.round((value * scale[0] + scale[1]) * 100) / 100;
}
