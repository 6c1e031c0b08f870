import { type Static, Type } from 'typebox';

const count = (description: string) => Type.Integer({ description });

/** The response of `POST /system/recordings/scan`. */
export const ScanResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    imported: count('Number of files without a recording that were imported'),
    already_known: count('Number of files that belong to recordings, including deleted ones'),
    missing_files: count('Number of recordings whose file is missing'),
    unreadable: count('Number of unreadable files and folders, and of links'),
  },
  { $id: 'ScanResult' },
);

/** The shape of {@link ScanResponseSchema}. */
export type ScanResult = Static<typeof ScanResponseSchema>;

const BodySchema = Type.Object(
  {
    background: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to respond immediately, without the result' }),
    ),
    confirm: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to set recordings to `missing` even if almost none of the known files is there',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Options of a scan, which runs in the background. */
export const ScanBodySchema = Type.Unsafe<Static<typeof BodySchema> | null>({
  ...BodySchema,
  type: ['object', 'null'],
});
