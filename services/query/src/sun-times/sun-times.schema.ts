import { type Static, Type } from 'typebox';
import { instant, orNull, text } from '../wire.schema.js';

/** What `GET /sun-times` takes. */
export const SunTimesQuerySchema = Type.Object({
  date: Type.Optional(text('A day in the zone of the hub, `YYYY-MM-DD`; today without it')),
});

const event = (description: string) => orNull(instant(description));

/** When the sun rises and sets on a day; null is what does not happen then, as at polar day and polar night. */
export const SunTimesSchema = Type.Object(
  {
    dawn: event('Civil dawn: the sun is six degrees below the horizon'),
    sunrise: event('Its upper edge appears'),
    noon: event('It stands highest'),
    sunset: event('Its upper edge disappears'),
    dusk: event('Civil dusk: the sun is six degrees below the horizon'),
  },
  { $id: 'SunTimes' },
);

/** The shape of {@link SunTimesSchema}. */
export type SunTimes = Static<typeof SunTimesSchema>;
