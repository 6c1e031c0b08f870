import { type Static, Type } from 'typebox';
import { instant, orNull, text } from '../wire.schema.js';

/** What `GET /sun-times` takes. */
export const SunTimesQuerySchema = Type.Object({
  date: Type.Optional(text('A day in the zone of the hub, `YYYY-MM-DD`; today without it')),
});

/** The shape of {@link SunTimesQuerySchema}. */
export type SunTimesQuery = Static<typeof SunTimesQuerySchema>;

const event = (description: string) => orNull(instant(description), description);

/** When the sun rises and sets on a day; empty without a place. */
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
