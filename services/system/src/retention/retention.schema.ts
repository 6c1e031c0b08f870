import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { clearedFields, confirmField } from '../storage/storage.schema.js';

/** Who has retention run. */
const retentionStarters = ['schedule', 'request'] as const;

/** Body of `POST /system/retention`. */
export const RetentionBodySchema = Type.Union([
  Type.Object(
    {
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether to say only what would go' }),
      ),
      confirm: confirmField,
    },
    { additionalProperties: false },
  ),
  Type.Null(),
]);

const count = (description: string) => Type.Integer({ description });

/** What `POST /system/retention` answers. */
export const RetentionAnswerSchema = Type.Object(
  {
    ...clearedFields,
    reasons: Type.Object(
      {
        age: count('Went as they were older than `retention.days`'),
        max_gb: count('Went as all files together were larger than `retention.max_gb`'),
        min_free: count('Went as less of the disk was free than `retention.min_free_gb`'),
        favorite: count('Stayed as favourites'),
        best_of_species: count('Stayed as the best of their species'),
      },
      { description: 'Recordings by the rule that cleared or kept their files' },
    ),
  },
  { $id: 'RetentionAnswer' },
);

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** What `GET /system/retention` returns. */
export const RetentionStateSchema = Type.Object(
  {
    policy: Type.Object(
      {
        days: Type.Number({ description: 'Files older than this are cleared; 0: however old' }),
        max_gb: Type.Number({ description: 'All files together may have so many GB; 0: any number' }),
        min_free_gb: Type.Number({ description: 'GB of the disk that are kept free' }),
        protect_favorites: Type.Boolean({ description: 'Favourites are never cleared, whatever this says' }),
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
          deletedCount: count('Recordings whose files went'),
          deletedSize: count('Bytes that went'),
          reasons: RetentionAnswerSchema.properties.reasons,
        }),
        Type.Null({ description: 'It has not run yet' }),
      ],
      { description: 'The last run; null before the first' },
    ),
  },
  { $id: 'RetentionState' },
);

/** The last run of retention, as it is shown. */
export type RetentionRun = NonNullable<Static<typeof RetentionStateSchema>['last_run']>;

/** How many went and stayed for each reason. */
export type RetentionReasons = Static<typeof RetentionAnswerSchema>['reasons'];
