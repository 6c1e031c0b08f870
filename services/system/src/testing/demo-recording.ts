import type { PostOptions } from '@birdhub/domain/recordings';

/** Marks a recording as one of the demo in the transaction that stores it, as ingest does. */
export const noteDemoRecording: NonNullable<PostOptions['alsoWrite']> = ({ client, send }, videoId) =>
  send(client.query('INSERT INTO demo_recording (video_id) VALUES ($1)', [videoId]));
