import { type TSchema, Type } from 'typebox';

/** The fields that several answers have. */
export const instant = (description: string) => Type.String({ format: 'date-time', description });
export const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
export const text = (description: string) => Type.String({ description });
export const textOrNull = (description: string) => orNull(Type.String(), description);
export const numberOrNull = (description: string) => orNull(Type.Number(), description);

/** A window of time as callers ask for it. */
export const windowParameters = {
  start_time: Type.Optional(text('Start of the window: unix seconds UTC or RFC 3339; with `end_time`')),
  end_time: Type.Optional(text('End of the window, not itself in it; at most 31 days after the start')),
  date: Type.Optional(text('The window as one day of the hub, `YYYY-MM-DD`; instead of both times')),
};

/** The number of a row, in a path. */
export const idInPath = (description: string) =>
  Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }) });

/** One box of a detection. */
export const FrameSchema = Type.Object(
  {
    t: Type.Number({ description: 'Seconds from the start of the recording' }),
    bbox: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'x1, y1, x2, y2 as fractions of the picture',
    }),
  },
  { $id: 'Frame' },
);

/** Who found a detection, by picture or by sound. */
export const detectionSources = ['video', 'audio'] as const;
