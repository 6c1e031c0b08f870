import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSettings } from '@birdhub/domain/settings';
import { type RunningService, startService } from '@birdhub/shared/app';
import { readConfig } from '@birdhub/shared/config';
import { ChangeNotifier, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { addPoolMetrics, createMetrics } from '@birdhub/shared/metrics';
import { systemClock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { createGatewayApp } from './app.js';
import { followPasswords } from './auth/passwords.js';
import { sweepExpired } from './auth/sessions.js';
import { AccessTokens } from './auth/tokens.js';
import { gatewayConfig } from './config.js';
import { publishedOperations } from './contract/operations.js';
import type { Operation } from './contract/read-contract.js';
import { parseOrigins } from './edge/browser-headers.js';
import { parseTrustedHosts } from './edge/host-names.js';
import { parseTrustedProxies, trimPrefix } from './edge/trusted-proxies.js';
import { addUpstreamMetrics, closeUpstreams, openUpstreams } from './proxy/upstreams.js';

const name = 'gateway';
const thisMachine = '127.0.0.0/8,::1/128';
const publishedContract = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));
const builtUi = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** Starts the gateway; connections to services and database are opened on demand. */
export async function startGateway(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(gatewayConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const isTrusted = parseTrustedProxies(config.trustedProxies ?? thisMachine);
  const isNamedProxy = config.trustedProxies === undefined ? () => false : isTrusted;
  const isKnownHost = parseTrustedHosts(`${config.trustedHosts},${config.host}`);
  const contractText = await readFile(config.contractFile ?? publishedContract, 'utf8');
  const webDir = findUi(config.webDir ?? builtUi, log);
  const corsOrigins = parseOrigins(config.corsOrigins);
  const { databaseUrl: url, databasePoolSize: max } = config;
  const database = openDatabase({ url, max, name, log, queryTimeoutMs: 10_000 });
  addPoolMetrics(metrics, database.pool);
  const { pool, prisma, transaction } = database;
  const notifier = new ChangeNotifier(pool, log);
  const tokens = new AccessTokens({ prisma, log, isListening: () => listener.isListening() });
  const { settings, listener } = openSettings({
    pool,
    url,
    // The gateway does not use settings that depend on the time zone.
    hostZone: 'UTC',
    log,
    handlers: {
      onNotice({ changes }) {
        if (changes.some(({ kind }) => kind === 'tokens' || kind === 'everything')) tokens.forget();
      },
      onGap: () => tokens.forget(),
    },
  });
  const passwords = followPasswords(settings);
  // So that the first requests can be authorised. Without the database it fails fast, and the gateway starts anyway.
  await passwords.refresh();
  const sweeping = sweepExpired({ prisma, passwords, clock: systemClock, log });
  const { ingestUrl, queryUrl, reportsUrl, systemUrl } = config;
  const upstreams = openUpstreams({
    ingest: ingestUrl,
    query: queryUrl,
    reports: reportsUrl,
    system: systemUrl,
  });
  addUpstreamMetrics(metrics, upstreams);
  const app = createGatewayApp({
    log,
    metrics,
    operations: await findOperations(config.contractFile === undefined ? undefined : contractText),
    contractText,
    contractPage: readContractPage(webDir),
    upstreams,
    internalSecret: config.internalSecret,
    basePath: trimPrefix(config.basePath),
    isTrusted,
    isNamedProxy,
    isKnownHost,
    responseTimeoutMs: config.upstreamTimeoutSeconds * 1000,
    idleTimeoutMs: config.upstreamIdleTimeoutSeconds * 1000,
    clientStallTimeoutMs: config.clientStallTimeoutSeconds * 1000,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    pool,
    prisma,
    transaction,
    notifier,
    clock: systemClock,
    tokens,
    passwords,
    mcpToken: config.mcpToken,
    async assistantSettings() {
      const { mcp, general, notifications } = await settings.current();
      return { isEnabled: mcp.enabled, language: general.language, baseUrl: notifications.base_url };
    },
    corsOrigins,
    webDir,
  });
  return startService({
    name,
    app,
    config,
    log,
    metrics,
    release: [
      () => closeUpstreams(upstreams),
      () => sweeping.stop(),
      () => listener.close(),
      () => notifier.close(),
      () => tokens.settled(),
      () => database.close(),
    ],
  });
}

function findUi(webDir: string, log: Logger): string | undefined {
  if (existsSync(join(webDir, 'index.html'))) return webDir;
  log.warn({ webDir }, 'web ui not built, no pages served');
  return undefined;
}

function readContractPage(webDir: string | undefined): string | undefined {
  const file = webDir === undefined ? undefined : join(webDir, 'docs.html');
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * Returns the generated operations. Those of another contract are parsed from its text, which takes a third of a
 * second.
 */
async function findOperations(otherText: string | undefined): Promise<readonly Operation[]> {
  if (otherText === undefined) return publishedOperations;
  const { readContract } = await import('./contract/read-contract.js');
  return readContract(otherText).operations;
}

export { createGatewayApp } from './app.js';
