import { type Static, Type } from 'typebox';
import { text } from '../wire.schema.js';

const names = (description: string) => Type.Array(Type.String(), { description });

/** The species of the hub compared with those reported to eBird in its region. */
export const RegionComparisonSchema = Type.Object(
  {
    configured: Type.Boolean({ description: 'Whether the settings have a key of eBird and a country' }),
    regionCode: text(
      "The region at eBird, such as US or US-NY, by the settings' `ebird.country` and `ebird.state`",
    ),
    userCount: Type.Integer({
      description:
        'Species with visits at the hub; forms count as their species, generic ones and other animals do not count',
    }),
    regionTopCount: Type.Integer({ description: 'Species reported in the region in the last 30 days' }),
    matchCount: Type.Integer({ description: 'How many are in `matchedSpecies`' }),
    matchedSpecies: names('Species with visits at the hub that were reported in the region too, by name'),
    regionTop: names(
      'The 20 species of the region with the most birds in its latest reports, most first, named as at the hub ' +
        'where it has visits of them',
    ),
    onlyHere: names('Species with visits at the hub that were not reported in the region, by name'),
    stale: Type.Boolean({
      description: 'Whether eBird fails now: the region is that of the last response, or empty',
    }),
  },
  { $id: 'RegionComparison' },
);

/** The shape of {@link RegionComparisonSchema}. */
export type RegionComparison = Static<typeof RegionComparisonSchema>;
