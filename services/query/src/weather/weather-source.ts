import type { Settings } from '@birdhub/domain/settings';
import type { OutsideUrls } from '../external/external-config.js';
import { fieldsOf, fingerprint, numberOrNull, requestUrl, textOrNull } from '../external/external-request.js';
import type { OutsideRequest } from '../external/external-service.js';
import { hubPlace } from './sun-times.js';
import { conditionOfState, conditionOfWmoCode, convert, type Quantity } from './weather-readings.js';

const current =
  'temperature_2m,relative_humidity_2m,pressure_msl,surface_pressure,cloud_cover,wind_speed_10m,weather_code';

/** Open-Meteo's forecast API, https://open-meteo.com/en/docs: no key, only a place. */
const openMeteo: WeatherDriver = {
  request(settings, { openMeteoUrl }) {
    const place = hubPlace(settings);
    if (!place) return undefined;
    return { url: requestUrl(openMeteoUrl, '/forecast', { ...place, current, wind_speed_unit: 'ms' }) };
  },
  read(answer) {
    const { current: now, current_units } = fieldsOf(answer);
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

/** Coordinates, or a postal code with its country. */
function placeQuery(settings: Settings): Record<string, string | number> | undefined {
  const place = hubPlace(settings);
  if (place) return { lat: place.latitude, lon: place.longitude };
  const zip = settings.secrets.zip.trim();
  if (!zip) return undefined;
  const { country } = settings.ebird;
  return { zip: zip.includes(',') || !country ? zip : `${zip},${country}` };
}

/** OpenWeather's current weather, https://openweathermap.org/current: takes a key. */
const openWeather: WeatherDriver = {
  request(settings, { openweatherApiUrl }) {
    const appid = settings.secrets.openweather_api_key;
    const query = placeQuery(settings);
    if (!appid || !query) return undefined;
    return { url: requestUrl(openweatherApiUrl, '/weather', { ...query, appid, units: 'metric' }) };
  },
  read(answer) {
    const { weather, main, clouds, wind } = fieldsOf(answer);
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

/** A weather entity of Home Assistant, whose units are those of its owner. */
const homeAssistant: WeatherDriver = {
  request({ homeassistant: { url, token }, weather: { ha_entity_id } }) {
    if (!token || !ha_entity_id || !URL.canParse(url)) return undefined;
    return {
      url: requestUrl(url, `/api/states/${encodeURIComponent(ha_entity_id)}`),
      headers: { authorization: `Bearer ${token}` },
    };
  },
  read(answer) {
    const { state, attributes } = fieldsOf(answer);
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

/** The sources that the settings may name. */
export type SourceName = Exclude<Settings['weather']['source'], 'none'>;

/** The weather now, in °C, %, hPa and m/s; null what the source does not say. */
export interface Weather {
  readonly main: string | null;
  readonly description: string | null;
  readonly temp: number;
  readonly humidity: number | null;
  readonly pressure: number | null;
  readonly clouds: number | null;
  readonly windSpeed: number | null;
}

/** How one kind of source is asked and understood. */
export interface WeatherDriver {
  /** Undefined when the settings lack what it takes. */
  request(settings: Settings, urls: OutsideUrls): OutsideRequest | undefined;
  /** Undefined when there is no temperature in the answer. */
  read(answer: unknown): Weather | undefined;
}

/** What is asked under given settings. */
export interface WeatherSource {
  readonly name: SourceName;
  /** Differs when anything differs that the weather depends on. */
  readonly key: string;
  readonly request: OutsideRequest;
}

/** All kinds of sources. */
export const weatherDrivers: Readonly<Record<SourceName, WeatherDriver>> = {
  'open-meteo': openMeteo,
  openweather: openWeather,
  homeassistant: homeAssistant,
};

/** The source that the settings choose; undefined when there is none or they lack what it takes. */
export function chooseSource(settings: Settings, urls: OutsideUrls): WeatherSource | undefined {
  const name = settings.weather.source;
  if (name === 'none') return undefined;
  const request = weatherDrivers[name].request(settings, urls);
  if (!request) return undefined;
  return { name, request, key: fingerprint(name, request.url.href, request.headers?.['authorization']) };
}
