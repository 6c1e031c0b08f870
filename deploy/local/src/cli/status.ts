import { findLockHolder } from '../instance-lock.js';
import type { Options } from '../options.js';
import { placesIn } from '../places.js';
import { isRunning } from '../process-identity.js';
import { type ProcessState, readState } from '../state-file.js';
import { answersOk } from '../wait-ready.js';

/** Prints each process with its port and condition. */
export async function showStatus({ dataDir }: Options): Promise<number> {
  const places = placesIn(dataDir);
  const holder = findLockHolder(places.lock);
  const state = readState(places.state);
  if (holder === undefined) {
    console.log(`Birdhub does not run with the data in ${dataDir}.`);
    return 3;
  }
  const since = state?.readyAt == null ? 'still starting' : `ready since ${state.readyAt}`;
  console.log(`Birdhub runs at ${holder.address ?? 'an unknown address'} (process ${holder.pid}, ${since})`);
  const processes = state?.processes ?? [];
  const conditions = await Promise.all(processes.map(findCondition));
  for (const [index, { name, process, port }] of processes.entries()) {
    const pid = process === null ? '-' : String(process.pid);
    console.log(
      `  ${name.padEnd(10)} pid ${pid.padEnd(8)} port ${String(port).padEnd(6)} ${conditions[index]}`,
    );
  }
  const isGood =
    state?.readyAt != null &&
    conditions.every((condition) => condition !== 'down' && condition !== 'not ready');
  return isGood ? 0 : 1;
}

async function findCondition({ process, readyUrls }: ProcessState): Promise<string> {
  if (process === null || !isRunning(process)) return 'down';
  const answers = await Promise.all(readyUrls.map(answersOk));
  return answers.every(Boolean) ? (answers.length === 0 ? 'up' : 'ready') : 'not ready';
}
