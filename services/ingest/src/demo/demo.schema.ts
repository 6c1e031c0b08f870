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
        '`none`: no demo; `filling`: the history is being created; `live`: new birds appear regularly; ' +
        '`removing`: the demo is being deleted',
    }),
    birds: nullable(literals(regions), 'Region whose birds are shown; null when there is no demo'),
    done: Type.Integer({
      description: 'Number of recordings stored so far, or deleted so far while the demo is being deleted',
    }),
    total: Type.Integer({ description: 'Total number of recordings to store or to delete' }),
    has_own_birds: Type.Boolean({
      description: 'Whether the hub has recordings that are not part of the demo',
    }),
    has_own_place: Type.Boolean({
      description: 'Whether the hub has a location that was not set by the demo',
    }),
    message: nullable(
      Type.String(),
      'Human-readable note on what is missing, such as clips when ffmpeg is not installed',
    ),
    started_at: nullable(
      Type.String({ format: 'date-time' }),
      'When the demo was started; null when there is no demo',
    ),
    is_ready: Type.Boolean({ description: 'Whether the recordings of today are complete' }),
  },
  { $id: 'Demo', description: 'Demo with drawn birds that shows the features of the hub' },
);

/** The options of a new demo. */
export const DemoStartSchema = Type.Object(
  {
    birds: Type.Optional(
      literals(regions, {
        description: 'Region whose birds are shown; defaults to the region of the location or time zone',
      }),
    ),
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Seed of the random birds; a different seed creates different days. Defaults to 1',
      }),
    ),
    latitude: Type.Optional(
      Type.Number({
        minimum: -90,
        maximum: 90,
        description: 'Latitude of the location, used when the hub has none',
      }),
    ),
    longitude: Type.Optional(
      Type.Number({
        minimum: -180,
        maximum: 180,
        description: 'Longitude of the location, used when the hub has none',
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'IANA time zone of the location, used when the hub has no location',
      }),
    ),
    language: Type.Optional(
      literals(hubLanguages, {
        description: 'Language of the names of cameras and foods; defaults to the language of the hub',
      }),
    ),
    beside_own_birds: Type.Optional(
      Type.Boolean({ description: 'Confirms that the demo is added to a hub that already has birds' }),
    ),
  },
  { additionalProperties: false },
);

/** The shape of {@link DemoSchema}. */
export type ShownDemo = Static<typeof DemoSchema>;

/** The shape of {@link DemoStartSchema}. */
export type DemoStart = Static<typeof DemoStartSchema>;
