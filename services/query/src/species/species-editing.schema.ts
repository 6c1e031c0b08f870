import { type Static, Type } from 'typebox';
import { givenImageUrl, orNull } from '../wire.schema.js';

const optional = Type.Optional;
const storable = '^[^\\u0000\\p{Cs}]*$';

/** Plain text with something in it that can be seen; the lookahead keeps long texts from being walked again and again. */
const name = (description: string) =>
  Type.String({
    maxLength: 200,
    pattern: '^(?=.*[^\\s\\p{Cc}\\p{Cf}\\p{Cs}])[^\\p{Cc}\\p{Cs}]*$',
    description,
  });

/** What an administrator may say of a species. */
export const SpeciesPatchSchema = Type.Object(
  {
    name: optional(name('Shown name; the old one stays an alias')),
    scientific_name: optional(orNull(name('Binomial'), 'Binomial, null for none')),
    ebird_code: optional(
      orNull(
        Type.String({ pattern: '^[a-z0-9]{2,20}$' }),
        'Code at eBird, which one species has; null for none',
      ),
    ),
    parent_id: optional(
      orNull(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
        'Species, family or root above it; visits follow',
      ),
    ),
    active: optional(Type.Boolean({ description: 'Whether processors detect it' })),
    image_url: optional(
      givenImageUrl('Picture, http, https or a path of this hub; null for the one of the encyclopedia'),
    ),
    description: optional(
      orNull(Type.String({ maxLength: 10_000, pattern: storable }), 'Null for the one of the encyclopedia'),
    ),
  },
  { additionalProperties: false, $id: 'SpeciesPatch' },
);

/** The shape of {@link SpeciesPatchSchema}. */
export type SpeciesPatchBody = Static<typeof SpeciesPatchSchema>;

/** Which species the merged one really is. */
export const MergeBodySchema = Type.Object(
  {
    into_species_id: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The species to merge into',
    }),
  },
  { additionalProperties: false },
);

/** What became of a merge, or of taking it back. */
export const MergeAnswerSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    merge_id: Type.Integer({ description: 'By which the merge is taken back' }),
    moved_detections: Type.Integer({ description: 'Detections that have another species now' }),
  },
  { $id: 'MergeAnswer' },
);
