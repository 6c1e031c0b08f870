import { type Static, Type } from 'typebox';

const count = (description: string) => Type.Integer({ description });

/** The response of `POST /system/recordings/scan`. */
export const ScanResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    imported: count('Files without a recording that became one'),
    already_known: count('Files of recordings, those of deleted ones included'),
    missing_files: count('Recordings whose file is not there'),
    unreadable: count('Unreadable folders, and links'),
  },
  { $id: 'ScanAnswer' },
);

/** The shape of {@link ScanResponseSchema}. */
export type ScanAnswer = Static<typeof ScanResponseSchema>;

const BodySchema = Type.Object(
  {
    background: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to respond at once, without the result' }),
    ),
  },
  { additionalProperties: false },
);

/** Options of a scan, which runs in the background. */
export const ScanBodySchema = Type.Unsafe<Static<typeof BodySchema> | null>({
  ...BodySchema,
  type: ['object', 'null'],
});
