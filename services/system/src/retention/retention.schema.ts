import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { confirmField, purgedFields } from '../storage/storage.schema.js';

/** The initiators of a run of retention. */
const retentionStarters = ['schedule', 'request'] as const;

/** Body of `POST /system/retention`. */
export const RetentionBodySchema = Type.Union([
  Type.Object(
    {
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether to only report what would be purged' }),
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
    ...purgedFields,
    reasons: Type.Object(
      {
        age: count('Purged because older than `retention.days`'),
        max_gb: count('Purged because all files together exceeded `retention.max_gb`'),
        min_free: count('Purged because free space was below `retention.min_free_gb`'),
        favorite: count('Kept as favourites'),
        best_of_species: count('Kept as the best recordings of their species'),
      },
      { description: 'Number of recordings by the rule that purged or kept their files' },
    ),
  },
  { $id: 'RetentionResult' },
);

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** The response of `GET /system/retention`. */
export const RetentionStateSchema = Type.Object(
  {
    policy: Type.Object(
      {
        days: Type.Number({ description: 'Maximum age of files in days; 0 for no limit' }),
        max_gb: Type.Number({ description: 'Maximum total size of all files in GB; 0 for no limit' }),
        min_free_gb: Type.Number({ description: 'Minimum free disk space in GB' }),
        protect_favorites: Type.Boolean({
          description: 'Has no effect: favourites are never purged',
        }),
        keep_best_per_species: Type.Integer({
          description: 'Number of best recordings per species that are not purged because of their age',
        }),
      },
      { description: 'Retention policy in the settings' },
    ),
    last_run: Type.Union(
      [
        Type.Object({
          finished_at: instant('When the run ended'),
          started_by: literals(retentionStarters, {
            description:
              '`schedule`: started by the hub, every hour or when disk space ran low; `request`: started ' +
              'by a user',
          }),
          deletedCount: count('Number of recordings whose files were purged'),
          deletedSize: count('Number of bytes freed'),
          reasons: RetentionResponseSchema.properties.reasons,
          awaiting_confirmation: Type.Union(
            [
              Type.Object({
                count: count('Number of recordings that the policy would purge'),
                total: count('Number of all recordings with a file'),
              }),
              Type.Null(),
            ],
            {
              description:
                'Set when the policy would purge more than half of all recordings, which requires a `POST` ' +
                'with `confirm`. Until then, scheduled runs purge only what `retention.min_free_gb` needs, if that is at ' +
                'most half',
            },
          ),
        }),
        Type.Null({ description: 'No run yet' }),
      ],
      { description: 'The last run; null before the first run' },
    ),
  },
  { $id: 'RetentionState' },
);

/** The last run of retention in responses. */
export type RetentionRun = NonNullable<Static<typeof RetentionStateSchema>['last_run']>;

/** Numbers of purged and kept files by reason. */
export type RetentionReasons = Static<typeof RetentionResponseSchema>['reasons'];
