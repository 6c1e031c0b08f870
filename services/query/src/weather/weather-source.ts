import type { Settings } from '@birdhub/domain/settings';
import type { ExternalUrls } from '../external/external-apis.js';
import {
  type ExternalRequest,
  fieldsOf,
  fingerprint,
  numberOrNull,
  requestUrl,
  textOrNull,
} from '../external/external-service.js';
import { hubPlace } from './sun-times.js';

const current =
  'temperature_2m,relative_humidity_2m,pressure_msl,surface_pressure,cloud_cover,wind_speed_10m,weather_code';

/** Open-Meteo's forecast API, https://open-meteo.com/en/docs: requires coordinates but no key. */
const openMeteo: WeatherDriver = {
  request(settings, { openMeteoUrl }) {
    const place = hubPlace(settings);
    if (!place) return undefined;
    return { url: requestUrl(openMeteoUrl, '/forecast', { ...place, current, wind_speed_unit: 'ms' }) };
  },
  read(response) {
    const { current: now, current_units } = fieldsOf(response);
    const [values, units] = [fieldsOf(now), fieldsOf(current_units)];
    const temp = convert('celsius', numberOrNull(values['temperature_2m']), '°C');
    if (temp === null) return undefined;
    const windUnit = textOrNull(units['wind_speed_10m']) ?? 'm/s';
    return {
      ...conditionOfWmoCode(numberOrNull(values['weather_code'])),
      temp,
      humidity: numberOrNull(values['relative_humidity_2m']),
      pressure: numberOrNull(values['pressure_msl']) ?? numberOrNull(values['surface_pressure']),
      clouds: numberOrNull(values['cloud_cover']),
      windSpeed: convert('metresPerSecond', numberOrNull(values['wind_speed_10m']), windUnit),
    };
  },
};

/** Returns the coordinates, or a postal code with its country, as query parameters. */
function placeQuery(settings: Settings): Record<string, string | number> | undefined {
  const place = hubPlace(settings);
  if (place) return { lat: place.latitude, lon: place.longitude };
  const zip = settings.secrets.zip.trim();
  if (!zip) return undefined;
  const { country } = settings.ebird;
  return { zip: zip.includes(',') || !country ? zip : `${zip},${country}` };
}

/** OpenWeather's current weather, https://openweathermap.org/current: requires a key. */
const openWeather: WeatherDriver = {
  request(settings, { openweatherApiUrl }) {
    const appid = settings.secrets.openweather_api_key;
    const query = placeQuery(settings);
    if (!appid || !query) return undefined;
    return { url: requestUrl(openweatherApiUrl, '/weather', { ...query, appid, units: 'metric' }) };
  },
  read(response) {
    const { weather, main, clouds, wind } = fieldsOf(response);
    const values = fieldsOf(main);
    const temp = numberOrNull(values['temp']);
    if (temp === null) return undefined;
    const condition = fieldsOf(Array.isArray(weather) ? weather[0] : undefined);
    return {
      main: textOrNull(condition['main']),
      description: textOrNull(condition['description']),
      temp,
      humidity: numberOrNull(values['humidity']),
      pressure: numberOrNull(values['pressure']),
      clouds: numberOrNull(fieldsOf(clouds)['all']),
      windSpeed: numberOrNull(fieldsOf(wind)['speed']),
    };
  },
};

/** A weather entity of Home Assistant, in the units of its installation. */
const homeAssistant: WeatherDriver = {
  request({ homeassistant: { url, token }, weather: { ha_entity_id } }) {
    if (!token || !ha_entity_id || !URL.canParse(url)) return undefined;
    return {
      url: requestUrl(url, `/api/states/${encodeURIComponent(ha_entity_id)}`),
      headers: { authorization: `Bearer ${token}` },
    };
  },
  read(response) {
    const { state, attributes } = fieldsOf(response);
    const values = fieldsOf(attributes);
    const measured = (quantity: Quantity, name: string) =>
      convert(quantity, numberOrNull(values[name]), textOrNull(values[`${name}_unit`]));
    const temp = measured('celsius', 'temperature');
    if (temp === null) return undefined;
    return {
      ...conditionOfState(textOrNull(state)),
      temp,
      humidity: numberOrNull(values['humidity']),
      pressure: measured('hectopascals', 'pressure'),
      clouds: numberOrNull(values['cloud_coverage']),
      windSpeed: measured('metresPerSecond', 'wind_speed'),
    };
  },
};

/** The weather sources of the settings. */
export type SourceName = Exclude<Settings['weather']['source'], 'none'>;

/** The current weather in °C, %, hPa and m/s; null when the source does not provide a value. */
export interface Weather {
  readonly main: string | null;
  readonly description: string | null;
  readonly temp: number;
  readonly humidity: number | null;
  readonly pressure: number | null;
  readonly clouds: number | null;
  readonly windSpeed: number | null;
}

/** Request and response parser of a kind of source. */
export interface WeatherDriver {
  /** Undefined when required settings are missing. */
  request(settings: Settings, urls: ExternalUrls): ExternalRequest | undefined;
  /** Undefined when there is no temperature in the response. */
  read(response: unknown): Weather | undefined;
}

/** The request for given settings. */
export interface WeatherSource {
  readonly name: SourceName;
  /** Cache key, which changes with everything that the weather depends on. */
  readonly key: string;
  readonly request: ExternalRequest;
}

/** All kinds of sources. */
export const weatherDrivers: Readonly<Record<SourceName, WeatherDriver>> = {
  'open-meteo': openMeteo,
  openweather: openWeather,
  homeassistant: homeAssistant,
};

/** Returns the source of the settings; undefined when none is set or required settings are missing. */
export function chooseSource(settings: Settings, urls: ExternalUrls): WeatherSource | undefined {
  const name = settings.weather.source;
  if (name === 'none') return undefined;
  const request = weatherDrivers[name].request(settings, urls);
  if (!request) return undefined;
  return { name, request, key: fingerprint(name, request.url.href, request.headers?.['authorization']) };
}

/** A weather condition: the main group of OpenWeather and a description. */
export interface Condition {
  readonly main: string | null;
  readonly description: string | null;
}

type ConditionTexts = readonly [main: string, description: string];

/** The codes of WMO table 4677 that Open-Meteo uses. */
const wmoCodes = new Map<number | null, ConditionTexts>([
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
const homeAssistantStates = new Map<string | null, ConditionTexts>([
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

/** Returns the condition of a WMO code; null values for a code that Open-Meteo does not use. */
export function conditionOfWmoCode(code: number | null): Condition {
  const [main = null, description = null] = wmoCodes.get(code) ?? [];
  return { main, description };
}

/** Returns the condition of a state of Home Assistant; an unknown state is used as the description. */
export function conditionOfState(state: string | null): Condition {
  const [main = null, description = state] = homeAssistantStates.get(state) ?? [];
  return { main, description };
}

type Scale = readonly [factor: number, zero: number];

/** The first unit is the default. */
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

/** A quantity with source-specific units, named by the stored unit. */
export type Quantity = keyof typeof scales;

/** Converts a value to the stored unit, rounded to a hundredth; null without a value or for an unknown unit. */
export function convert(quantity: Quantity, value: number | null, unit: string | null): number | null {
  const units: [string, Scale][] = Object.entries(scales[quantity]);
  const [, scale] = units.find(([name]) => name === (unit ?? name)) ?? [];
  if (value === null || !scale) return null;
  return Math.round((value * scale[0] + scale[1]) * 100) / 100;
}
