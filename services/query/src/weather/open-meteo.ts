import { hubPlace } from '../hub-place.js';
import { fieldsOf, numberOrNull, textOrNull } from '../outside/read-fields.js';
import { requestUrl } from '../outside/request-url.js';
import { conditionOfWmoCode } from './conditions.js';
import { convert } from './units.js';
import type { WeatherDriver } from './weather-source.js';

const current =
  'temperature_2m,relative_humidity_2m,pressure_msl,surface_pressure,cloud_cover,wind_speed_10m,weather_code';

/** Open-Meteo's forecast API, https://open-meteo.com/en/docs: no key, only a place. */
export const openMeteo: WeatherDriver = {
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
