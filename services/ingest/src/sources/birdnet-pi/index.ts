import type { SourceKind } from '../source-kind.js';
import { checkDatabasePath } from '../sqlite/sqlite-file.js';
import { BirdNetPi } from './birdnet-pi.js';

/** BirdNET-Pi: its database by a path, its clips beside it or by its address. */
export const birdnetPi: SourceKind = {
  name: 'birdnet-pi',
  canWriteBack: false,
  // Birds are renamed by hand.
  rereadDays: 7,
  check({ path }) {
    const problem = checkDatabasePath(path);
    return problem === undefined ? [] : [{ path: '/path', message: problem }];
  },
  open: (config, deps) => new BirdNetPi(config, deps),
};
