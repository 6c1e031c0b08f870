import { type Static, Type } from 'typebox';
import { text } from '../wire.schema.js';

const names = (description: string) => Type.Array(Type.String(), { description });

/** The species of the hub compared with those reported to eBird in its region. */
export const RegionComparisonSchema = Type.Object(
  {
    configured: Type.Boolean({ description: 'Whether an eBird key and a country are set in the settings' }),
    regionCode: text(
      'Code of the region at eBird, such as US or US-NY, from `ebird.country` and ' +
        '`ebird.state` in the settings',
    ),
    userCount: Type.Integer({
      description:
        'Number of species with visits at the hub. Forms are counted as their species; generic species and ' +
        'other animals are not counted',
    }),
    regionTopCount: Type.Integer({
      description: 'Number of species reported in the region in the last 30 days',
    }),
    matchCount: Type.Integer({ description: 'Number of species in `matchedSpecies`' }),
    matchedSpecies: names(
      'Species with visits at the hub that were also reported in the region, sorted by name',
    ),
    regionTop: names(
      'The 20 species with the most birds in the latest reports of the region, most birds first. Species ' +
        'with visits at the hub have the name used at the hub',
    ),
    onlyHere: names('Species with visits at the hub that were not reported in the region, sorted by name'),
    stale: Type.Boolean({
      description:
        'Whether eBird currently fails. In this case, the data of the region is from ' +
        'the last response, or empty',
    }),
  },
  { $id: 'RegionComparison' },
);

/** The shape of {@link RegionComparisonSchema}. */
export type RegionComparison = Static<typeof RegionComparisonSchema>;
