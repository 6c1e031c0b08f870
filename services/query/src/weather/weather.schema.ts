import { type Static, Type } from 'typebox';
import { instant, numberOrNull, orNull, text, textOrNull } from '../wire.schema.js';

/** The current weather; empty when unknown. */
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

/** Query parameters of `GET /sun-times`. */
export const SunTimesQuerySchema = Type.Object({
  date: Type.Optional(text('A day in the zone of the hub, `YYYY-MM-DD`; today without it')),
});

/** The shape of {@link SunTimesQuerySchema}. */
export type SunTimesQuery = Static<typeof SunTimesQuerySchema>;

const event = (description: string) => orNull(instant(description), description);

/** The sun times of a day; empty without coordinates. */
export const SunTimesSchema = Type.Partial(
  Type.Object({
    dawn: event('Civil dawn: the sun is six degrees below the horizon'),
    sunrise: event('Its upper edge appears'),
    noon: event('It stands highest'),
    sunset: event('Its upper edge disappears'),
    dusk: event('Civil dusk: the sun is six degrees below the horizon'),
  }),
  {
    $id: 'SunTimes',
    description:
      'Null is what does not happen on that day, as at polar day and polar night. Empty without a place in the settings',
  },
);

/** The shape of {@link SunTimesSchema} where a place is known. */
export type SunTimes = Required<Static<typeof SunTimesSchema>>;
