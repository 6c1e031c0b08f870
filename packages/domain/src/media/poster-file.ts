import { join } from 'node:path';
import { derivedFolder } from './derived-files.js';

/** Where the poster of a recording is kept, once there is one. */
export function posterFile(dataDir: string, videoId: number): string {
  return join(derivedFolder(dataDir, 'posters', videoId), 'poster.jpg');
}
