import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { orNull, text } from '../wire.schema.js';

const dayScopes = ['utc', 'local'] as const;
const offset = { minimum: -840, maximum: 840 };

/** What `GET /videos/:id/neighbors` takes. */
export const NeighborsQuerySchema = Type.Object({
  day_scope: literals(dayScopes, { default: 'utc', description: 'Whose day: that of UTC or a local one' }),
  tz_offset_minutes: Type.Optional(
    Type.Integer({ ...offset, description: 'As `Date.getTimezoneOffset` has it: UTC+3 is -180' }),
  ),
  tz: Type.Optional(text('IANA zone; wins over the offset. With neither, local is the zone of the hub')),
  cross_day: Type.Optional(text('`1`, `true` or `yes`: neighbours may lie outside the day')),
});

/** The shape of {@link NeighborsQuerySchema}. */
export type NeighborsQuery = Static<typeof NeighborsQuerySchema>;

/** The recordings before and after one. */
export const NeighborsSchema = Type.Object({
  day_scope: literals(dayScopes, { description: 'Whose day, as asked' }),
  day_label: text('The day, `YYYY-MM-DD`'),
  timezone_offset_minutes: Type.Integer({ description: 'Of that day at the start of the recording' }),
  cross_day: Type.Boolean({ description: 'Whether neighbours may lie outside the day, as asked' }),
  previous_id: orNull(Type.Integer(), 'The one before'),
  next_id: orNull(Type.Integer(), 'The one after'),
  index: Type.Integer({ description: 'Its place in the day, counted from 0' }),
  total: Type.Integer({ description: 'Recordings that start on the day' }),
});

/** The shape of {@link NeighborsSchema}. */
export type Neighbors = Static<typeof NeighborsSchema>;
