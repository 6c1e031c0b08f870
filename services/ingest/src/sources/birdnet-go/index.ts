import type { SourceKind } from '../source-kind.js';
import { BirdNetGo } from './birdnet-go.js';

/** BirdNET-Go, by its API v2. */
export const birdnetGo: SourceKind = {
  name: 'birdnet-go',
  canWriteBack: false,
  // Detections are verified by hand, mostly within days.
  rereadDays: 7,
  check({ url, username, password }) {
    const problems = [];
    if (url === undefined)
      problems.push({
        path: '/url',
        message: 'is needed: the address of BirdNET-Go, such as http://birdnet-go:8080',
      });
    if (username !== undefined && password === undefined)
      problems.push({ path: '/password', message: 'is needed with a user name' });
    return problems;
  },
  open: (config, deps) => new BirdNetGo(config, deps),
};
