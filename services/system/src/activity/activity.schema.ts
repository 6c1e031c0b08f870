import { type Static, Type } from 'typebox';

const DaySchema = Type.Object(
  {
    date: Type.String({ format: 'date', description: "Calendar day of the hub's zone" }),
    totalUptime: Type.Number({ description: 'Hours in which a processor was heard from' }),
    visits: Type.Integer({ description: 'Visits of birds; generic species and other animals left out' }),
    recordings: Type.Integer({ description: 'Recordings that began on this day' }),
  },
  { $id: 'ActivityDay' },
);

/** The response of `GET /system/activity`: every day of the month, in order. */
export const ActivitySchema = Type.Array(DaySchema);

/** The shape of one day of {@link ActivitySchema}. */
export type ActivityDay = Static<typeof DaySchema>;
