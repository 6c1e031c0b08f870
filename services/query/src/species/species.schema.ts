import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { imageUrl, instant, orNull, textOrNull } from '../wire.schema.js';

/** What `GET /species` takes. */
export const SpeciesQuerySchema = Type.Object({
  scope: literals(['all', 'observed'], {
    default: 'all',
    description: '`observed`: only those that had visits, as `GET /species/observed`',
  }),
});

/** A species of any rank with how often it was here. */
export const SpeciesSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the species' }),
    name: Type.String({ description: 'Name of the species' }),
    scientific_name: textOrNull('Binomial, or the name of the family'),
    parent_id: orNull(Type.Integer(), 'The species, family or root above it'),
    created_at: instant('When it was added'),
    image_url: imageUrl('A picture of it'),
    description: textOrNull('Notes about it'),
    active: Type.Boolean({ description: 'Whether processors detect it' }),
    count: Type.Integer({ description: 'Sum of the maximum number of birds at once of each of its visits' }),
    visits: Type.Integer({ description: 'Number of its visits' }),
    heard_only: Type.Boolean({ description: 'Whether all of its visits are audio-only' }),
  },
  { $id: 'Species' },
);

/** The shape of {@link SpeciesSchema}. */
export type Species = Static<typeof SpeciesSchema>;

/** A family of birds. */
export const BirdFamilySchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the family, which is a species of a higher rank' }),
    name: Type.String({ description: 'Name of the family' }),
  },
  { $id: 'BirdFamily' },
);
