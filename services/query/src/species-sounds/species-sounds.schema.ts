import { type Static, Type } from 'typebox';
import { idInPath, text, textOrNull } from '../wire.schema.js';

/** The path parameters. */
export const SpeciesSoundsParamsSchema = idInPath('Id of the species');

const SoundRecordingSchema = Type.Object(
  {
    id: text('Id of the recording at xeno-canto'),
    file: text('URL of the sound file, https'),
    en: textOrNull('English name of the bird'),
    type: textOrNull('Type of the sound, such as song or call'),
    rec: textOrNull('Name of the recordist'),
    cnt: textOrNull('Country of the recording'),
    length: textOrNull('Length in minutes and seconds, such as 1:05'),
    quality: textOrNull('Quality from A (best) to E'),
    licence: textOrNull('URL of the licence'),
  },
  { $id: 'SoundRecording' },
);

/** The shape of a recording in {@link SpeciesSoundsSchema}. */
export type SoundRecording = Static<typeof SoundRecordingSchema>;

/** Sounds of a species. */
export const SpeciesSoundsSchema = Type.Object(
  {
    configured: Type.Boolean({ description: 'Whether a key for xeno-canto is set in the settings' }),
    recordings: Type.Array(SoundRecordingSchema, {
      maxItems: 5,
      description: 'Recordings, best quality first',
    }),
    species_name: Type.String({ description: 'Name of the species' }),
    xeno_canto_search_url: text('URL of the xeno-canto page with all recordings of the species'),
  },
  { $id: 'SpeciesSounds' },
);

/** The shape of {@link SpeciesSoundsSchema}. */
export type SpeciesSounds = Static<typeof SpeciesSoundsSchema>;
