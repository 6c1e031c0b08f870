import { type Static, Type } from 'typebox';
import { instant, numberOrNull, text, textOrNull } from '../wire.schema.js';

/** The weather at the hub; empty while none is known. */
export const WeatherNowSchema = Type.Partial(
  Type.Object({
    main: textOrNull('In a word, such as Clear, Clouds, Rain, Snow'),
    description: textOrNull('In a few words'),
    temp: numberOrNull('°C'),
    humidity: numberOrNull('%'),
    pressure: numberOrNull('hPa'),
    clouds: numberOrNull('%'),
    wind_speed: numberOrNull('m/s'),
    source: text('Source: open-meteo, openweather or homeassistant'),
    fetched_at: instant('When it was fetched'),
    stale: Type.Boolean({ description: 'Whether it is older than half an hour or the source fails now' }),
  }),
  {
    $id: 'WeatherNow',
    description: 'Empty without a source or a place in the settings, or before the first answer',
  },
);

/** The shape of {@link WeatherNowSchema}. */
export type WeatherNow = Static<typeof WeatherNowSchema>;
