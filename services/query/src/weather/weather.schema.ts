import { type Static, Type } from 'typebox';
import { instant, numberOrNull, orNull, text, textOrNull } from '../wire.schema.js';

/** The values of a measurement of the weather. */
export const weatherFields = {
  main: textOrNull('Weather condition in one word, such as Clear, Clouds, Rain or Snow'),
  description: textOrNull('Weather condition in a few words'),
  temp: numberOrNull('Temperature in °C'),
  humidity: numberOrNull('Relative humidity in percent'),
  pressure: numberOrNull('Air pressure in hPa'),
  clouds: numberOrNull('Cloud cover in percent'),
  wind_speed: numberOrNull('Wind speed in m/s'),
};

/** The current weather; empty when unknown. */
export const WeatherNowSchema = Type.Partial(
  Type.Object({
    ...weatherFields,
    source: text('Source of the data: open-meteo, openweather or homeassistant'),
    fetched_at: instant('When the data was fetched'),
    stale: Type.Boolean({
      description: 'Whether the data is older than half an hour, or the source currently fails',
    }),
  }),
  {
    $id: 'WeatherNow',
    description:
      'The current weather; empty without a source or a location in the settings, or ' +
      'before the first response',
  },
);

/** The shape of {@link WeatherNowSchema}. */
export type WeatherNow = Static<typeof WeatherNowSchema>;

/** Query parameters of `GET /sun-times`. */
export const SunTimesQuerySchema = Type.Object({
  date: Type.Optional(
    text('Day of the sun times, `YYYY-MM-DD` in the time zone of the hub; defaults to today'),
  ),
});

/** The shape of {@link SunTimesQuerySchema}. */
export type SunTimesQuery = Static<typeof SunTimesQuerySchema>;

const event = (description: string) => orNull(instant(description), description);

/** The sun times of a day; empty without coordinates. */
export const SunTimesSchema = Type.Partial(
  Type.Object({
    dawn: event('Civil dawn: the sun is six degrees below the horizon'),
    sunrise: event('Sunrise: the upper edge of the sun appears'),
    noon: event('Solar noon: the sun is at its highest position'),
    sunset: event('Sunset: the upper edge of the sun disappears'),
    dusk: event('Civil dusk: the sun is six degrees below the horizon'),
  }),
  {
    $id: 'SunTimes',
    description:
      'Sun times of a day. Times that do not occur on the day, such as during polar day and polar night, ' +
      'are null. Empty without a location in the settings',
  },
);

/** The shape of {@link SunTimesSchema} when the coordinates are known. */
export type SunTimes = Required<Static<typeof SunTimesSchema>>;
