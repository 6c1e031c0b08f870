import { type Static, Type } from 'typebox';
import { literals } from '../config/index.js';

/** Who found a detection, by picture or by sound. */
export const detectionSources = ['video', 'audio'] as const;

const text = (description: string) => Type.Optional(Type.String({ description }));

/** A window of time as callers ask for it; `longest` says in words how long it may be. */
export const windowParameters = (longest = '31 days') => ({
  start_time: text('Start of the window: unix seconds UTC or RFC 3339; with `end_time`'),
  end_time: text(`End of the window, not itself in it; at most ${longest} after the start`),
  date: text('The window as one day of the hub, `YYYY-MM-DD`; instead of both times'),
});

/** The filters of the timeline as query parameters. */
export const filterParameters = {
  camera_id: Type.Optional(Type.String({ maxLength: 64, pattern: '^[^\\u0000]*$' })),
  species_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'This very species, not its children' }),
  ),
  min_confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  source: Type.Optional(literals(detectionSources)),
  favorite: Type.Optional(Type.Boolean()),
};

const FiltersSchema = Type.Object(filterParameters);

/** The filters that were asked for. */
export type TimelineFilters = Static<typeof FiltersSchema>;
