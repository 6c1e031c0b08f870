import { type TSchema, Type } from 'typebox';

/** The fields that several answers have. */
export const instant = (description: string) => Type.String({ format: 'date-time', description });
export const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
export const text = (description: string) => Type.String({ description });
export const textOrNull = (description: string) => orNull(Type.String(), description);
export const numberOrNull = (description: string) => orNull(Type.Number(), description);

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
