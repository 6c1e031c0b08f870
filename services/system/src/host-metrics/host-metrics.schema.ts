import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { encodings } from './host-reader.js';

const percent = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 });
const orNull = (schema: ReturnType<typeof Type.Number>, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const usage = (description: string) =>
  Type.Object(
    {
      total: Type.Number({ description: 'GB of 1024³ bytes' }),
      used: Type.Number({ description: 'GB of 1024³ bytes' }),
      percent: percent('Used, of what can be used'),
      total_bytes: Type.Integer({ description: 'Bytes in all' }),
      used_bytes: Type.Integer({ description: 'Bytes in use' }),
    },
    { description },
  );

/** The response of `GET /system/metrics`. */
export const HostMetricsSchema = Type.Object(
  {
    cpu: Type.Object(
      {
        percent: percent('Load of all cores together'),
        temperature: orNull(Type.Number(), '°C; null without a sensor'),
      },
      { description: 'The processor of the host' },
    ),
    memory: usage('Main memory of the host'),
    disk: usage('The disk that recordings are on'),
    encoding: literals(encodings, { description: 'What the host has to encode video with; a hint' }),
    gpu_percent: orNull(percent('Load of the GPU'), 'Load of the GPU; null without a sensor'),
  },
  { $id: 'HostMetrics' },
);

/** The shape of {@link HostMetricsSchema}. */
export type HostMetricsBody = Static<typeof HostMetricsSchema>;

/** The response of `GET /system/metrics/history`. */
export const HostHistorySchema = Type.Object(
  {
    samples: Type.Array(
      Type.Object({
        t: Type.String({ format: 'date-time', description: 'Minute of the sample' }),
        cpu: percent('Maximum of the minute'),
        memory: percent('Maximum of the minute'),
        disk: percent('Maximum of the minute'),
        gpu: orNull(percent('Maximum of the minute'), 'Maximum of the minute; null without a GPU sensor'),
      }),
      { description: 'Oldest first; of more than `max_points` the ends and the extremes' },
    ),
    sample_interval_seconds: Type.Integer({ description: 'Seconds from one sample to the next' }),
    retention_hours: Type.Integer({ description: 'Hours for which samples are kept' }),
    hours_requested: Type.Integer({ description: 'Requested hours' }),
  },
  { $id: 'HostHistory' },
);
