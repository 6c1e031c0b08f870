import { type Static, Type } from 'typebox';
import { instant, orNull, textOrNull } from '../wire.schema.js';

/** A species of any rank with how many birds of it were seen. */
export const SpeciesSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    scientific_name: textOrNull('Binomial, or the name of the family'),
    parent_id: orNull(Type.Integer(), 'The species, family or root above it'),
    created_at: instant('When the hub first knew it'),
    image_url: textOrNull('A picture of it'),
    description: textOrNull('What is worth knowing of it'),
    active: Type.Boolean({ description: 'Whether the processor looks for it' }),
    count: Type.Integer({ description: 'Sum of the most birds at once of each of its visits' }),
  },
  { $id: 'Species' },
);

/** The shape of {@link SpeciesSchema}. */
export type Species = Static<typeof SpeciesSchema>;

/** A family of birds. */
export const BirdFamilySchema = Type.Object(
  { id: Type.Integer(), name: Type.String() },
  { $id: 'BirdFamily' },
);
