import { pathsIn } from '@birdhub/launcher/data-folder';
import { findLockHolder } from '@birdhub/launcher/instance-lock';
import { answersOk } from '@birdhub/launcher/lifecycle';
import type { Options } from '@birdhub/launcher/options';
import { isRunning } from '@birdhub/launcher/processes';
import { serviceNames } from '@birdhub/launcher/service-addresses';
import { type HubState, type ProcessState, readState } from '@birdhub/launcher/state-file';
import { askServices, printServices } from './service-status.js';

/** Prints each process with its address, its condition and where it is scraped, or each service that runs elsewhere. */
export async function showStatus({ dataDir, opsUrls }: Options): Promise<number> {
  if (opsUrls) return printServices(await askServices(opsUrls));
  const places = pathsIn(dataDir);
  const holder = findLockHolder(places.lock);
  const state = readState(places.state);
  if (holder === undefined) {
    console.log(`Birdhub does not run with the data in ${dataDir}.`);
    return 3;
  }
  const since = state?.readyAt == null ? 'still starting' : `ready since ${state.readyAt}`;
  console.log(`Birdhub runs at ${addressOf(state)} (process ${holder.pid}, ${since})`);
  const processes = state?.processes ?? [];
  const conditions = await Promise.all(processes.map(findCondition));
  for (const [index, one] of processes.entries()) console.log(describeProcess(one, conditions[index] ?? ''));
  const isGood =
    state?.readyAt != null &&
    conditions.every((condition) => condition !== 'down' && condition !== 'not ready');
  return isGood ? 0 : 1;
}

const addressOf = (state: HubState | undefined) => state?.address ?? 'an address that is not known yet';

function describeProcess(
  { name, process, port, socket, readyUrls }: ProcessState,
  condition: string,
): string {
  const pid = process === null ? '-' : String(process.pid);
  const address = socket === undefined ? `port ${port}` : `socket ${socket}`;
  const scraped = readyUrls.length === 0 ? '' : `  metrics${describeMetrics(readyUrls)}`;
  return `  ${name.padEnd(10)} pid ${pid.padEnd(8)} ${condition.padEnd(9)} ${address}${scraped}`;
}

/** One process may have all services in it, in the order of their names. */
function describeMetrics(readyUrls: readonly string[]): string {
  const isWhole = readyUrls.length === serviceNames.length;
  const describe = (url: string, index: number) =>
    `${isWhole ? `\n    ${serviceNames[index]?.padEnd(8)}` : ''} ${new URL('/metrics', url)}`;
  return readyUrls.map(describe).join('');
}

async function findCondition({ process, readyUrls }: ProcessState): Promise<string> {
  if (process === null || !isRunning(process)) return 'down';
  const answers = await Promise.all(readyUrls.map(answersOk));
  return answers.every(Boolean) ? (answers.length === 0 ? 'up' : 'ready') : 'not ready';
}
