import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { findLockHolder } from '@birdhub/launcher/instance-lock';
import { respondsOk } from '@birdhub/launcher/lifecycle';
import type { Options } from '@birdhub/launcher/options';
import { isRunning } from '@birdhub/launcher/processes';
import { serviceNames } from '@birdhub/launcher/service-addresses';
import { type HubState, type ProcessState, readState } from '@birdhub/launcher/state-file';

/** Prints address, condition and metrics port of each process, or of each service that runs without the launcher. */
export async function showStatus({ dataDir, opsUrls }: Options): Promise<number> {
  if (opsUrls) return printServices(await probeServices(opsUrls));
  const paths = pathsIn(dataDir);
  const holder = findLockHolder(paths.lock);
  const state = readState(paths.state);
  if (holder === undefined) {
    console.log(`Birdhub is not running with the data in ${dataDir}.`);
    return 3;
  }
  const since = state?.readyAt == null ? 'still starting' : `ready since ${state.readyAt}`;
  console.log(`Birdhub is running at ${addressOf(state)} (process ${holder.pid}, ${since})`);
  const processes = state?.processes ?? [];
  const conditions = await Promise.all(processes.map(findCondition));
  for (const [index, one] of processes.entries()) console.log(describeProcess(one, conditions[index] ?? ''));
  const isGood =
    state?.readyAt != null &&
    conditions.every((condition) => condition !== 'down' && condition !== 'not ready');
  return isGood ? 0 : 1;
}

const addressOf = (state: HubState | undefined) => state?.address ?? 'an unknown address';

function describeProcess(
  { name, process, port, socket, readyUrls }: ProcessState,
  condition: string,
): string {
  const pid = process === null ? '-' : String(process.pid);
  const address = socket === undefined ? `port ${port}` : `socket ${socket}`;
  const scraped = readyUrls.length === 0 ? '' : `  metrics${describeMetrics(readyUrls)}`;
  return `  ${name.padEnd(10)} pid ${pid.padEnd(8)} ${condition.padEnd(9)} ${address}${scraped}`;
}

/** In a single process, all services are listed by name. */
function describeMetrics(readyUrls: readonly string[]): string {
  const isSingleProcess = readyUrls.length === serviceNames.length;
  const describe = (url: string, index: number) =>
    `${isSingleProcess ? `\n    ${serviceNames[index]?.padEnd(8)}` : ''} ${new URL('/metrics', url)}`;
  return readyUrls.map(describe).join('');
}

async function findCondition({ process, readyUrls }: ProcessState): Promise<string> {
  if (process === null || !isRunning(process)) return 'down';
  const results = await Promise.all(readyUrls.map(respondsOk));
  return results.every(Boolean) ? (results.length === 0 ? 'up' : 'ready') : 'not ready';
}

const statusTimeoutMs = 3_000;
const nameWidth = 10;

/** The condition of one instance of a service, from its ops port. */
export interface ServiceCondition {
  readonly name: string;
  /** Undefined when the name cannot be resolved. */
  readonly address: string | undefined;
  readonly condition: 'ready' | 'not ready' | 'down';
  /** The unavailable dependencies of a service that is not ready. */
  readonly missing: readonly string[];
}

/**
 * Probes services that run without the launcher, for example in containers. All addresses of each host name are probed,
 * as a service may have several instances.
 */
export async function probeServices(opsUrls: readonly URL[]): Promise<ServiceCondition[]> {
  const conditions = await Promise.all(
    opsUrls.map(async (url) => {
      const addresses = await lookup(url.hostname, { all: true }).catch(() => []);
      if (!addresses.length) return [conditionOf(url.hostname, undefined, 'down')];
      return Promise.all(addresses.map(({ address }) => probeService(url, address)));
    }),
  );
  return conditions.flat();
}

/** Prints a line for each instance. Returns the exit code: 0 all are ready, 1 not all, 3 none responds. */
export function printServices(conditions: readonly ServiceCondition[]): number {
  for (const { name, address = '-', condition, missing } of conditions) {
    const reason = missing.length ? ` (${missing.join(', ')})` : '';
    console.log(`  ${name.padEnd(nameWidth)} ${address.padEnd(22)} ${condition}${reason}`);
  }
  if (conditions.every(({ condition }) => condition === 'down')) return 3;
  return conditions.every(({ condition }) => condition === 'ready') ? 0 : 1;
}

const conditionOf = (
  name: string,
  address: string | undefined,
  condition: ServiceCondition['condition'],
  missing: readonly string[] = [],
): ServiceCondition => ({ name, address, condition, missing });

function probeService(url: URL, address: string): Promise<ServiceCondition> {
  const { hostname: name } = url;
  const port = url.port || '80';
  const shown = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  return new Promise((resolve) => {
    const down = () => resolve(conditionOf(name, shown, 'down'));
    const outgoing = request(
      {
        host: address,
        port,
        path: '/readyz',
        headers: { host: url.host },
        agent: false,
        signal: AbortSignal.timeout(statusTimeoutMs),
      },
      async (response) => {
        const chunks: Buffer[] = await response.toArray().catch(() => []);
        const missing = readMissing(Buffer.concat(chunks).toString());
        resolve(conditionOf(name, shown, response.statusCode === 200 ? 'ready' : 'not ready', missing));
      },
    );
    outgoing.on('error', down).end();
  });
}

function readMissing(body: string): string[] {
  try {
    const { missing } = JSON.parse(body);
    return Array.isArray(missing) ? missing.map(String) : [];
  } catch {
    return [];
  }
}
