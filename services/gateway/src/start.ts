import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type RunningService, startService } from '@birdhub/shared/app';
import { readConfig } from '@birdhub/shared/config';
import { readContract } from '@birdhub/shared/contract';
import { createLog } from '@birdhub/shared/log';
import { createMetrics } from '@birdhub/shared/metrics';
import { createGatewayApp } from './app.js';
import { gatewayConfig } from './config.js';
import { trimPrefix } from './proxy/public-prefix.js';
import { parseTrustedProxies } from './proxy/trusted-proxies.js';
import { closeUpstreams, openUpstreams } from './proxy/upstreams.js';

const name = 'gateway';
const publishedContract = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));

/** Starts the gateway: reads the contract, opens connections to the services as requests need them. */
export async function startGateway(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(gatewayConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const isTrusted = parseTrustedProxies(config.trustedProxies);
  const contractText = await readFile(config.contractFile ?? publishedContract, 'utf8');
  const { ingestUrl, queryUrl, reportsUrl, systemUrl } = config;
  const upstreams = openUpstreams({
    ingest: ingestUrl,
    query: queryUrl,
    reports: reportsUrl,
    system: systemUrl,
  });
  const app = createGatewayApp({
    log,
    metrics,
    contract: readContract(contractText),
    contractText,
    upstreams,
    internalSecret: config.internalSecret,
    basePath: trimPrefix(config.basePath),
    isTrusted,
    timeoutMs: config.upstreamTimeoutSeconds * 1000,
  });
  return startService({ name, app, config, log, metrics, release: [() => closeUpstreams(upstreams)] });
}

export { createGatewayApp } from './app.js';
