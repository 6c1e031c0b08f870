import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { clearedFields, confirmField } from '../storage/storage.schema.js';

/** What started a run of retention. */
const retentionStarters = ['schedule', 'request'] as const;

/** Body of `POST /system/retention`. */
export const RetentionBodySchema = Type.Union([
  Type.Object(
    {
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether to report only what would be purged' }),
      ),
      confirm: confirmField,
    },
    { additionalProperties: false },
  ),
  Type.Null(),
]);

const count = (description: string) => Type.Integer({ description });

/** The response of `POST /system/retention`. */
export const RetentionResponseSchema = Type.Object(
  {
    ...clearedFields,
    reasons: Type.Object(
      {
        age: count('Purged because they were older than `retention.days`'),
        max_gb: count('Purged because all files together exceeded `retention.max_gb`'),
        min_free: count('Purged because free space was below `retention.min_free_gb`'),
        favorite: count('Kept as favourites'),
        best_of_species: count('Kept as the best of their species'),
      },
      { description: 'Recordings by the rule that cleared or kept their files' },
    ),
  },
  { $id: 'RetentionAnswer' },
);

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** The response of `GET /system/retention`. */
export const RetentionStateSchema = Type.Object(
  {
    policy: Type.Object(
      {
        days: Type.Number({ description: 'Files older than this are cleared; 0: however old' }),
        max_gb: Type.Number({ description: 'All files together may have so many GB; 0: any number' }),
        min_free_gb: Type.Number({ description: 'GB of the disk that are kept free' }),
        protect_favorites: Type.Boolean({
          description: 'Always true in effect: favourites are never purged',
        }),
        keep_best_per_species: Type.Integer({
          description: 'Best recordings of a species that age does not clear',
        }),
      },
      { description: 'The rules of the settings' },
    ),
    last_run: Type.Union(
      [
        Type.Object({
          finished_at: instant('When it ended'),
          started_by: literals(retentionStarters, {
            description:
              '`schedule`: the hub by itself, every hour or as the disk got short; `request`: a person',
          }),
          deletedCount: count('Recordings whose files were purged'),
          deletedSize: count('Bytes that were freed'),
          reasons: RetentionResponseSchema.properties.reasons,
        }),
        Type.Null({ description: 'It has not run yet' }),
      ],
      { description: 'The last run; null before the first' },
    ),
  },
  { $id: 'RetentionState' },
);

/** The last run of retention in responses. */
export type RetentionRun = NonNullable<Static<typeof RetentionStateSchema>['last_run']>;

/** Numbers of purged and kept files by reason. */
export type RetentionReasons = Static<typeof RetentionResponseSchema>['reasons'];
