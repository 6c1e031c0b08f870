import { mediaKinds } from '@birdhub/domain/media';
import { filterParameters, windowParameters } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';

/** How an export is written. */
export const exportFormats = ['csv', 'json', 'ebird'] as const;

/** One of {@link exportFormats}. */
export type ExportFormat = (typeof exportFormats)[number];

/** What `GET /timeline/export` takes. */
export const ExportQuerySchema = Type.Object({
  ...windowParameters('366 days'),
  ...filterParameters,
  format: literals(exportFormats, {
    default: 'json',
    description: '`csv` and `json`: a row a visit; `ebird`: a checklist file for upload there',
  }),
});

/** A visit of an export in JSON, its keys in the order of the columns. */
export const ExportRowSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The visit' }),
    species_name: Type.String({ description: 'Name of the species' }),
    start_time: Type.String({ format: 'date-time', description: 'Start of the visit' }),
    end_time: Type.String({ format: 'date-time', description: 'End of the visit' }),
    duration_sec: Type.Number({ description: 'Length of the visit in seconds' }),
    max_simultaneous: Type.Integer({ description: 'Maximum number of birds seen at once' }),
    detection_count: Type.Integer({ description: 'Detections of the visit' }),
    temp: Type.Union([Type.Number(), Type.Null()], { description: '°C at the start of its first recording' }),
    clouds: Type.Union([Type.Number(), Type.Null()], {
      description: 'Cloud cover in percent at the start of its first recording',
    }),
    media_kind: Type.Union([literals(mediaKinds), Type.Null()], {
      description:
        'What there is to see: `video`, else `image` (the picture of a sighting), else `audio` when all of its recordings are sound alone; null without any medium',
    }),
  },
  { $id: 'ExportRow' },
);

/** The columns of an export in CSV. */
export const exportColumns = Object.keys(ExportRowSchema.properties);
