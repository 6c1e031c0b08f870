import { mediaKinds } from '@birdhub/domain/media';
import { filterParameters, windowParameters } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { mediaChoices } from '../science-export/camtrap-dp.js';
import { cores } from '../science-export/darwin-core.js';
import { portals } from '../science-export/portals.js';

/** The formats of exports. */
const exportFormats = ['csv', 'json', 'ebird', 'camtrap-dp', 'dwca', ...portals] as const;

/** One of {@link exportFormats}. */
export type ExportFormat = (typeof exportFormats)[number];

/** Query parameters of `GET /timeline/export`. */
export const ExportQuerySchema = Type.Object({
  ...windowParameters('366 days'),
  ...filterParameters,
  format: literals(exportFormats, {
    default: 'json',
    description:
      '`csv`, `json`: one row per visit; `ebird`: a checklist file for upload to eBird; `camtrap-dp`: a ' +
      'Camtrap DP 1.0.2 data package; `dwca`: a Darwin Core Archive; `inaturalist`, `observation-org`: a ' +
      'table for import into these portals, and pictures with metadata on time, place and species',
  }),
  media: literals(mediaChoices, {
    default: 'links',
    description:
      'How `camtrap-dp` and `dwca` include recordings: not at all, as URLs of the hub, or as files',
  }),
  core: literals(cores, {
    default: 'occurrence',
    description:
      'Core of `dwca`: `occurrence` has one row per visit with its media, `event` one row per day of ' +
      'monitoring with its visits; of the filters, `event` only allows `camera_id`, as species that are not ' +
      'listed count as absent',
  }),
});

/** Query parameters of `GET /timeline/export/preview`. */
export const SciencePreviewQuerySchema = Type.Object({
  ...windowParameters('366 days'),
  ...filterParameters,
});

/** See {@link SciencePreviewQuerySchema}. */
export type SciencePreviewQuery = Static<typeof SciencePreviewQuerySchema>;

/** A visit of an export in JSON, with keys in the order of the columns. */
export const ExportRowSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the visit' }),
    species_name: Type.String({ description: 'Name of the species' }),
    start_time: Type.String({ format: 'date-time', description: 'Start of the visit' }),
    end_time: Type.String({ format: 'date-time', description: 'End of the visit' }),
    duration_sec: Type.Number({ description: 'Duration of the visit in seconds' }),
    max_simultaneous: Type.Integer({ description: 'Maximum number of birds seen at the same time' }),
    detection_count: Type.Integer({ description: 'Number of detections of the visit' }),
    temp: Type.Union([Type.Number(), Type.Null()], {
      description: 'Temperature in °C at the start of the first recording',
    }),
    clouds: Type.Union([Type.Number(), Type.Null()], {
      description: 'Cloud cover in percent at the start of the first recording',
    }),
    media_kind: Type.Union([literals(mediaKinds), Type.Null()], {
      description:
        'Available media: `video`, else `image` (the picture of a sighting), else `audio` when all ' +
        'recordings are sound only; null without media',
    }),
  },
  { $id: 'ExportRow' },
);

/** The columns of an export in CSV. */
export const exportColumns = Object.keys(ExportRowSchema.properties);
