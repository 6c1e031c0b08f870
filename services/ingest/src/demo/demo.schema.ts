import { regions } from '@birdhub/demo/plan';
import { hubLanguages } from '@birdhub/domain/language';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

/** The states of the demo. */
const demoStates = ['none', 'filling', 'live', 'removing'] as const;

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** The public state of the demo. */
export const DemoSchema = Type.Object(
  {
    state: literals(demoStates, {
      description:
        '`filling` until the past is there; `live` while a bird comes now and then; `removing` until nothing of it is left',
    }),
    birds: nullable(literals(regions), 'The part of the world whose birds it shows; null when there is none'),
    done: Type.Integer({ description: 'Recordings that are stored, or while it is removed deleted' }),
    total: Type.Integer({ description: 'Recordings in all, of what is being done' }),
    has_own_birds: Type.Boolean({
      description: 'Whether the hub has recordings that the demo did not bring',
    }),
    message: nullable(Type.String(), 'What is missing, for people: clips where ffmpeg is not installed'),
    started_at: nullable(
      Type.String({ format: 'date-time' }),
      'When it was started; null when there is none',
    ),
    is_ready: Type.Boolean({ description: 'Whether the recordings of today are there to be looked at' }),
  },
  { $id: 'Demo', description: 'Birds that were painted to show what the hub does' },
);

/** The options of a new demo. */
export const DemoStartSchema = Type.Object(
  {
    birds: Type.Optional(
      literals(regions, {
        description: 'Birds of which part of the world; by the place or the zone when left out',
      }),
    ),
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Another one makes other days; 1 when left out',
      }),
    ),
    latitude: Type.Optional(
      Type.Number({
        minimum: -90,
        maximum: 90,
        description: 'Where the sun rises, when the hub has no place yet',
      }),
    ),
    longitude: Type.Optional(
      Type.Number({
        minimum: -180,
        maximum: 180,
        description: 'Where the sun rises, when the hub has no place yet',
      }),
    ),
    timezone: Type.Optional(
      Type.String({ maxLength: 100, description: 'IANA zone of that place, when the hub has none yet' }),
    ),
    language: Type.Optional(
      literals(hubLanguages, {
        description: 'Language of what it calls its cameras and foods; that of the hub when left out',
      }),
    ),
    beside_own_birds: Type.Optional(
      Type.Boolean({ description: 'Confirms that the demo is added to birds of a hub that is not empty' }),
    ),
  },
  { additionalProperties: false },
);

/** The shape of {@link DemoSchema}. */
export type ShownDemo = Static<typeof DemoSchema>;

/** The shape of {@link DemoStartSchema}. */
export type DemoStart = Static<typeof DemoStartSchema>;
