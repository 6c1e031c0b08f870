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
      'Connection of the hub to its broker; of the processor to its own where the hub has none',
    ),
    mqtt_posts: Type.Object(
      {
        state: component(
          'Whether the hub is connected to take posts; not used while `mqtt.accept_posts` is off or there is no broker',
        ),
        taken: Type.Integer({ description: 'Messages that were stored since the hub was set up' }),
        refused: Type.Integer({
          description: 'Messages that were wrong; `GET /api/ui/mqtt/refused` lists the last',
        }),
        last_taken_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When the last one was stored',
        }),
      },
      { description: 'Recordings, sightings and heartbeats that processors post by MQTT' },
    ),
    sources: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Id of the source' }),
        name: Type.String({ description: 'Its name' }),
        kind: Type.String({ description: 'The program that birds are read from' }),
        state: literals(sourceStates, { description: 'As `GET /api/ui/sources` has it' }),
        last_contact_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When it was last reached',
        }),
      }),
      { description: 'The programs that birds are read from, by name' },
    ),
    esphome: component('Whether the ESPHome device of the feeder answers'),
    yolo: component('Whether the detector last worked less than five minutes ago'),
    video: component('Whether a picture of a camera last came less than five minutes ago'),
    storage: component('Whether there is space for recordings, or something left that may be cleared'),
    processor_last_seen: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the newest heartbeat came',
    }),
    app_name: Type.String({ description: 'What the hub is called' }),
    timezone: Type.String({ description: "IANA zone of the hub's days" }),
    doubt_threshold: Type.Number({
      description: 'Detections of less confidence, 0 to 1, are to be reviewed',
    }),
    units: literals(['metric', 'imperial'], { description: 'What pages show: °C and m/s, or °F and mph' }),
    sharing_enabled: Type.Boolean({
      description: 'Whether links may be created by which others see a recording or a day',
    }),
    processor_restart_pending: Type.Boolean({
      description: 'Whether the processor was asked to restart and has not done so',
    }),
  },
  { $id: 'Status' },
);

/** The shape of {@link StatusSchema}. */
export type Status = Static<typeof StatusSchema>;
