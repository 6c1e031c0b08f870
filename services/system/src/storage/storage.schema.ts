import { type Static, Type } from 'typebox';

const StorageDaySchema = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Calendar day in the time zone of the hub' }),
    fileCount: Type.Integer({
      description: 'Number of recordings of that day whose files exist, and of uploads without a recording',
    }),
    totalSize: Type.Integer({ description: 'Total size of these files in bytes' }),
  },
  { $id: 'StorageDay' },
);

/** One day of {@link StorageStatsSchema}. */
export type StorageDay = Static<typeof StorageDaySchema>;

/** The response of `GET /storage/stats`. */
export const StorageStatsSchema = Type.Array(StorageDaySchema);

const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));
const day = (description: string) => Type.Optional(Type.String({ description }));

/** Field that confirms a purge of more than half of all recordings. */
export const confirmField = flag('Whether to allow purging more than half of all recordings in one run');

/** Body of `POST /storage/purge`. */
export const PurgeBodySchema = Type.Object(
  {
    date: day(
      'Purges recordings that started on or before this day, `YYYY-MM-DD` in the time zone of the hub',
    ),
    start_date: day('First day; requires `end_date`, cannot be combined with `date`'),
    end_date: day('Last day (inclusive)'),
    dry_run: flag('Whether to only report what would be purged'),
    include_favorites: flag('Whether to also purge favourites'),
    delete_history: flag('Whether to also delete detections and visits, as when a recording is deleted'),
    confirm: confirmField,
  },
  { additionalProperties: false },
);

/** The shape of {@link PurgeBodySchema}. */
export type PurgeBody = Static<typeof PurgeBodySchema>;

/** Fields of responses about purged files. */
export const purgedFields = {
  message: Type.String({ description: 'Human-readable result' }),
  deletedCount: Type.Integer({
    description: 'Number of recordings whose files were purged, or would be purged',
  }),
  deletedSize: Type.Integer({ description: 'Total size of these files in bytes' }),
};

/** The response of `POST /storage/purge`. */
export const PurgeResponseSchema = Type.Object(
  { ...purgedFields, keptFavorites: Type.Integer({ description: 'Number of favourites that were kept' }) },
  { $id: 'PurgeResult' },
);

/** The shape of {@link PurgeResponseSchema}. */
export type PurgeResult = Static<typeof PurgeResponseSchema>;
