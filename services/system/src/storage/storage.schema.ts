import { type Static, Type } from 'typebox';

const StorageDaySchema = Type.Object(
  {
    date: Type.String({ format: 'date', description: "Calendar day of the hub's zone" }),
    fileCount: Type.Integer({ description: 'Recordings of that day whose files are there' }),
    totalSize: Type.Integer({ description: 'Bytes of these files' }),
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
export const confirmField = flag('Whether more than half of all recordings may be purged in one run');

/** Body of `POST /storage/purge`. */
export const PurgeBodySchema = Type.Object(
  {
    date: day("`YYYY-MM-DD` of the hub's zone: what began on that day or before"),
    start_date: day('First day, together with `end_date` and without `date`'),
    end_date: day('Last day'),
    dry_run: flag('Whether to report only what would be purged'),
    include_favorites: flag('Whether favourites are purged too'),
    delete_history: flag('Whether detections and visits are deleted too, as with a deleted recording'),
    confirm: confirmField,
  },
  { additionalProperties: false },
);

/** The shape of {@link PurgeBodySchema}. */
export type PurgeBody = Static<typeof PurgeBodySchema>;

/** Fields of responses about purged files. */
export const clearedFields = {
  message: Type.String({ description: 'What was done, for a person' }),
  deletedCount: Type.Integer({ description: 'Recordings whose files were purged, or would be' }),
  deletedSize: Type.Integer({ description: 'Bytes of these files' }),
};

/** The response of `POST /storage/purge`. */
export const PurgeResponseSchema = Type.Object(
  { ...clearedFields, keptFavorites: Type.Integer({ description: 'Favourites that were kept' }) },
  { $id: 'PurgeAnswer' },
);

/** The shape of {@link PurgeResponseSchema}. */
export type PurgeAnswer = Static<typeof PurgeResponseSchema>;
