import { pathsIn } from '@birdhub/launcher/data-folder';
import { findLockHolder } from '@birdhub/launcher/instance-lock';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { createLog } from '@birdhub/launcher/log';
import type { Options } from '@birdhub/launcher/options';
import { hasEnded } from '@birdhub/launcher/processes';
import { stopLeftovers } from '@birdhub/launcher/state-file';

const stopTimeoutMs = 25_000;

/** Stops the launcher, which stops its children, and processes that a killed launcher left running. */
export async function stopHub({ dataDir, opsUrls }: Options): Promise<number> {
  if (opsUrls) {
    throw new LauncherError(
      'The services run without the launcher: stop them where they run, in containers with `docker compose stop`.',
    );
  }
  const paths = pathsIn(dataDir);
  const holder = findLockHolder(paths.lock);
  if (holder === undefined) {
    await stopLeftovers(paths.state, createLog('launcher'));
    console.log(`Birdhub is not running with the data in ${dataDir}.`);
    return 0;
  }
  process.kill(holder.pid, 'SIGTERM');
  if (!(await hasEnded(holder, stopTimeoutMs))) {
    throw new LauncherError(`Process ${holder.pid} did not stop within ${stopTimeoutMs / 1000} s.`);
  }
  console.log('Birdhub has stopped.');
  return 0;
}
