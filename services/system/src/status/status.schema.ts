import { timeFormats, units } from '@birdhub/domain/language';
import { sourceStates } from '@birdhub/domain/sources';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

const states = ['ok', 'error', 'not_configured', 'not_used', 'unknown'] as const;

/** The state of a component of the hub. */
export type ComponentState = (typeof states)[number];

const component = (description: string) =>
  Type.Unsafe<ComponentState>({ type: 'string', enum: states, description });

/** The response of `GET /status`. */
export const StatusSchema = Type.Object(
  {
    web: component('The hub itself'),
    processor: component('Whether the newest heartbeat is less than five minutes old'),
    mqtt: component(
      'Connection of the hub to its MQTT broker; of the processor to its broker if the hub has none',
    ),
    mqtt_posts: Type.Object(
      {
        state: component(
          'Whether the hub is connected to receive posts; not used while `mqtt.accept_posts` is off or ' +
            'there is no broker',
        ),
        taken: Type.Integer({ description: 'Number of messages stored since the hub was set up' }),
        refused: Type.Integer({
          description: 'Number of rejected messages; `GET /api/ui/mqtt/refused` lists the latest',
        }),
        last_taken_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When the last message was stored',
        }),
      },
      { description: 'Recordings, sightings and heartbeats that processors post by MQTT' },
    ),
    sources: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Id of the source' }),
        name: Type.String({ description: 'Name of the source' }),
        kind: Type.String({ description: 'The program from which birds are read' }),
        state: literals(sourceStates, { description: 'State of the source, as in `GET /api/ui/sources`' }),
        last_contact_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'Time of the last contact',
        }),
      }),
      { description: 'Sources from which birds are read, sorted by name' },
    ),
    esphome: component('Whether the ESPHome device of the feeder responds'),
    yolo: component('Whether the detector last worked less than five minutes ago'),
    video: component('Whether the last picture of a camera arrived less than five minutes ago'),
    storage: component('Whether there is space for recordings, or files that may be purged to free space'),
    processor_last_seen: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the last heartbeat arrived',
    }),
    app_name: Type.String({ description: 'Name of the hub' }),
    timezone: Type.String({ description: 'IANA time zone of the hub' }),
    doubt_threshold: Type.Number({
      description: 'Detections with a lower confidence, 0 to 1, should be reviewed',
    }),
    units: literals(units, { description: 'Units of displayed values: °C and m/s, or °F and mph' }),
    time_format: literals(timeFormats, {
      description: 'Time format of pages: the default of the language, 12 hours, or 24 hours',
    }),
    sharing_enabled: Type.Boolean({
      description: 'Whether links that share a recording or a day may be created',
    }),
    processor_restart_pending: Type.Boolean({
      description: 'Whether a restart of the processor was requested and has not happened yet',
    }),
  },
  { $id: 'Status' },
);

/** The shape of {@link StatusSchema}. */
export type Status = Static<typeof StatusSchema>;
