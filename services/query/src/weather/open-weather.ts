import type { Settings } from '@birdhub/domain/settings';
import { hubPlace } from '../hub-place.js';
import { fieldsOf, numberOrNull, textOrNull } from '../outside/read-fields.js';
import { requestUrl } from '../outside/request-url.js';
import type { WeatherDriver } from './weather-source.js';

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
export const openWeather: WeatherDriver = {
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
