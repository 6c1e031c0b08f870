import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { encodings } from './host-reader.js';

const percent = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 });
const orNull = (schema: ReturnType<typeof Type.Number>, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const usage = (description: string) =>
  Type.Object(
    {
      total: Type.Number({ description: 'Total size in GB of 1024³ bytes' }),
      used: Type.Number({ description: 'Used size in GB of 1024³ bytes' }),
      percent: percent('Used percentage of the usable size'),
      total_bytes: Type.Integer({ description: 'Total size in bytes' }),
      used_bytes: Type.Integer({ description: 'Used size in bytes' }),
    },
    { description },
  );

/** The response of `GET /system/metrics`. */
export const HostMetricsSchema = Type.Object(
  {
    cpu: Type.Object(
      {
        percent: percent('Load of all cores in percent'),
        temperature: orNull(Type.Number(), 'Temperature in °C; null without a sensor'),
      },
      { description: 'CPU of the host' },
    ),
    memory: usage('Main memory of the host'),
    disk: usage('Disk that holds the recordings'),
    encoding: literals(encodings, { description: 'Hardware of the host for video encoding; a hint only' }),
    gpu_percent: orNull(
      percent('Load of the GPU in percent'),
      'Load of the GPU in percent; null without a sensor',
    ),
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
        cpu: percent('Maximum CPU load within the minute, in percent'),
        memory: percent('Maximum memory usage within the minute, in percent'),
        disk: percent('Maximum disk usage within the minute, in percent'),
        gpu: orNull(
          percent('Maximum GPU load within the minute, in percent'),
          'Maximum GPU load within the minute, in percent; null without a sensor',
        ),
      }),
      {
        description:
          'Samples, oldest first. If there are more than `max_points`, only the ends and the extremes are ' +
          'returned',
      },
    ),
    sample_interval_seconds: Type.Integer({ description: 'Interval between samples in seconds' }),
    retention_hours: Type.Integer({ description: 'Hours for which samples are kept' }),
    hours_requested: Type.Integer({ description: 'Number of hours requested' }),
  },
  { $id: 'HostHistory' },
);
