import { startGateway } from '@birdhub/gateway';
import { startIngest } from '@birdhub/ingest';
import { startQuery } from '@birdhub/query';
import { startReports } from '@birdhub/reports';
import type { RunningService } from '@birdhub/shared/app';
import { runService } from '@birdhub/shared/app';
import { startSystem } from '@birdhub/system';
import { runAll } from './lifecycle.js';
import { singleProcessVariable } from './programs.js';
import type { ServiceName } from './service-addresses.js';

type Start = (env: NodeJS.ProcessEnv) => Promise<RunningService>;

/** In the order of the shutdown: the gateway stops first, so that it can complete requests in flight. */
const starts: readonly (readonly [ServiceName, Start])[] = [
  ['gateway', startGateway],
  ['ingest', startIngest],
  ['query', startQuery],
  ['reports', startReports],
  ['system', startSystem],
];

/** Starts the five services in this process. */
async function startAll(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const own: Record<ServiceName, NodeJS.ProcessEnv> = JSON.parse(env[singleProcessVariable] ?? '{}');
  const results = await Promise.allSettled(starts.map(([name, start]) => start({ ...env, ...own[name] })));
  const running = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = () => runAll(running.map((service) => () => service.close()));
  const failure = results.find((result) => result.status === 'rejected');
  const [gateway] = running;
  const addresses = running.flatMap((service) => service.addresses);
  if (failure === undefined && gateway !== undefined)
    return { ...gateway, name: 'services', addresses, close };
  await close();
  throw failure?.reason;
}

await runService(startAll, process.env);
