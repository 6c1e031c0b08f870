import { type Static, Type } from 'typebox';
import { clearedFields, confirmField } from '../storage/storage.schema.js';

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
    reasons: Type.Object({
      age: count('Went as they were older than `retention.days`'),
      max_gb: count('Went as all files together were larger than `retention.max_gb`'),
      min_free: count('Went as less of the disk was free than `retention.min_free_gb`'),
      favorite: count('Stayed as favourites'),
      best_of_species: count('Stayed as the best of their species'),
    }),
  },
  { $id: 'RetentionAnswer' },
);

/** How many went and stayed for each reason. */
export type RetentionReasons = Static<typeof RetentionAnswerSchema>['reasons'];
