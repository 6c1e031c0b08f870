import { type Static, Type } from 'typebox';
import { idInPath, text, textOrNull } from '../wire.schema.js';

/** The path parameters. */
export const SpeciesSoundsParamsSchema = idInPath('Id of the species');

const SoundRecordingSchema = Type.Object(
  {
    id: text('Its number at xeno-canto'),
    file: text('The sound, an https address'),
    en: textOrNull('English name of the bird'),
    type: textOrNull('What is heard, such as song or call'),
    rec: textOrNull('Who recorded it'),
    cnt: textOrNull('Country'),
    length: textOrNull('Minutes and seconds, such as 1:05'),
    quality: textOrNull('From A, the best, to E'),
    licence: textOrNull('Address of its licence'),
  },
  { $id: 'SoundRecording' },
);

/** The shape of a recording in {@link SpeciesSoundsSchema}. */
export type SoundRecording = Static<typeof SoundRecordingSchema>;

/** Sounds of a species. */
export const SpeciesSoundsSchema = Type.Object(
  {
    configured: Type.Boolean({ description: 'Whether the settings have a key of xeno-canto' }),
    recordings: Type.Array(SoundRecordingSchema, { maxItems: 5, description: 'Best quality first' }),
    species_name: Type.String({ description: 'Name of the species' }),
    xeno_canto_search_url: text('A page of xeno-canto with all its recordings'),
  },
  { $id: 'SpeciesSounds' },
);

/** The shape of {@link SpeciesSoundsSchema}. */
export type SpeciesSounds = Static<typeof SpeciesSoundsSchema>;
