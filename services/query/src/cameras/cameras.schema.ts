import { type Static, Type } from 'typebox';
import { instant, orNull, textOrNull } from '../wire.schema.js';

/** A camera from the settings or from recordings. */
const CameraSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the camera, as processors name it' }),
    name: Type.String({ description: 'As in the settings; else its id' }),
    stream_url: textOrNull('Where it can be watched, without credentials'),
    enabled: Type.Boolean({ description: 'Whether the settings have it switched on' }),
    last_recording_at: orNull(
      instant('Start of its newest recording'),
      'Start of its newest recording; null without any',
    ),
    recordings: Type.Integer({ description: 'How many recordings it made' }),
  },
  { $id: 'Camera' },
);

/** The shape of {@link CameraSchema}. */
export type Camera = Static<typeof CameraSchema>;

/** The response of `GET /cameras`. */
export const CamerasSchema = Type.Object({ cameras: Type.Array(CameraSchema, { description: 'By name' }) });
