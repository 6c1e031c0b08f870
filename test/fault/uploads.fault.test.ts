import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '@birdhub/launcher/processes';
import { describe, it, vi } from 'vitest';
import { uploadSteadily, verifyUploads } from './fixtures/steady-uploads.js';
import { useTrial, waitForStatus } from './fixtures/trial.js';

const trial = useTrial();
const uploadsAtOnce = 10;

describe('files uploaded beside posts', () => {
  it.each(['ingest', 'gateway'])(
    'kill -9 of %s, loses no acknowledged file and leaves no partial one',
    async (name) => {
      const { baseUrl, recordingsDir } = trial.hub();
      const uploads = uploadSteadily({
        ...{ baseUrl, folder: `uploads/${name}`, perSecond: 100, maxInFlight: uploadsAtOnce },
      });
      let killed: ProcessIdentity;
      await vi.waitUntil(() => uploads.acknowledged.size > uploadsAtOnce, { interval: 5 });
      await trial.during({
        name: `SIGKILL to ${name} while files are uploaded`,
        async inject(posting) {
          killed = trial.hub().kill(name, 'SIGKILL');
          await waitForStatus(posting, name === 'ingest' ? 502 : 0);
        },
        async restore() {
          await trial.hub().waitUntilRestarted(name, killed);
          await uploads.stop();
          await verifyUploads(recordingsDir, uploads);
          // The final check expects only files of posted recordings.
          rmSync(join(recordingsDir, 'uploads'), { recursive: true });
        },
      });
    },
  );
});
