import { fieldsOf, numberOrNull, textOrNull } from '../outside/read-fields.js';
import { requestUrl } from '../outside/request-url.js';
import { conditionOfState } from './conditions.js';
import { convert, type Quantity } from './units.js';
import type { WeatherDriver } from './weather-source.js';

/** A weather entity of Home Assistant, whose units are those of its owner. */
export const homeAssistant: WeatherDriver = {
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
