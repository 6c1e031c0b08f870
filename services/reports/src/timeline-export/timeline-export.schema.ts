import { literals } from '@birdhub/shared/config';
import { filterParameters, windowParameters } from '@birdhub/shared/timeline';
import { Type } from 'typebox';

/** How an export is written. */
export const exportFormats = ['csv', 'json', 'ebird'] as const;

/** One of {@link exportFormats}. */
export type ExportFormat = (typeof exportFormats)[number];

/** What `GET /timeline/export` takes. */
export const ExportQuerySchema = Type.Object({
  ...windowParameters('366 days'),
  ...filterParameters,
  format: literals(exportFormats, { default: 'json' }),
});

/** A visit of an export in JSON, its keys in the order of the columns. */
export const ExportRowSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The visit' }),
    species_name: Type.String(),
    start_time: Type.String({ format: 'date-time' }),
    end_time: Type.String({ format: 'date-time' }),
    duration_sec: Type.Number(),
    max_simultaneous: Type.Integer({ description: 'Most birds seen at once' }),
    detection_count: Type.Integer(),
    temp: Type.Union([Type.Number(), Type.Null()], { description: '°C at the start of its first recording' }),
    clouds: Type.Union([Type.Number(), Type.Null()], { description: '%' }),
  },
  { $id: 'ExportRow' },
);

/** The columns of an export in CSV. */
export const exportColumns = Object.keys(ExportRowSchema.properties);
