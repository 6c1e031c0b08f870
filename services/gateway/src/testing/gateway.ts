import { type AccessRule, access } from '@birdhub/shared/app';
import { openDatabase } from '@birdhub/shared/db';
import { createMetrics } from '@birdhub/shared/metrics';
import { systemClock } from '@birdhub/shared/time';
import { pino } from 'pino';
import { createGatewayApp, type GatewayDeps } from '../app.js';
import type { KnownPasswords } from '../auth/passwords.js';
import { AccessTokens } from '../auth/tokens.js';
import { readContract } from '../contract/index.js';
import { parseTrustedHosts } from '../edge/host-names.js';
import { parseTrustedProxies } from '../edge/trusted-proxies.js';
import { closeUpstreams, openUpstreams, type ServiceName, type Upstreams } from '../proxy/upstreams.js';

/** The security requirements of a rule as YAML. */
export const securityOf = (rule: AccessRule) => JSON.stringify(access[rule]);

const operation = (operationId: string, service: string, rest = 'security: []') =>
  `{ operationId: ${operationId}, x-hub-service: ${service}, ${rest} }`;

/** A contract with operations of each kind, for several services. */
export const testContract = `
info: { version: 1.2.3 }
paths:
  /api/ui/things: { get: ${operation('listThings', 'query')}, post: ${operation('addThing', 'query')} }
  /api/ui/things/{id}: { get: ${operation('getThing', 'query')}, delete: ${operation('removeThing', 'query')} }
  /api/ui/status: { get: ${operation('getStatus', 'system')} }
  /api/processor/videos: { post: ${operation('postVideo', 'ingest', `security: ${securityOf('processor')}`)} }
  /data/recordings/{path}: { get: ${operation('getFile', 'query', 'security: [], x-hub-wildcard: true')} }
`;

interface TestGatewayOptions
  extends Partial<
    Pick<
      GatewayDeps,
      | 'pool'
      | 'prisma'
      | 'transaction'
      | 'notifier'
      | 'tokens'
      | 'passwords'
      | 'mcpToken'
      | 'assistantSettings'
      | 'corsOrigins'
      | 'headersTimeoutMs'
      | 'webDir'
      | 'contractPage'
      | 'isNamedProxy'
      | 'idleTimeoutMs'
      | 'clientStallTimeoutMs'
      | 'maxConnectionsPerAddress'
      | 'accessCheckMs'
    >
  > {
  readonly services: Partial<Readonly<Record<ServiceName, string>>>;
  readonly contractText?: string;
  readonly basePath?: string;
  /** `TRUSTED_PROXIES`; none by default. */
  readonly trustedProxies?: string;
  readonly trustedHosts?: string;
  readonly internalSecret?: string;
  readonly timeoutMs?: number;
}

/** A listening gateway. */
export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly upstreams: Upstreams;
  /** Stops gracefully, like the service. */
  stop(): Promise<void>;
  /** Stops and drops the connections of clients. */
  close(): Promise<void>;
}

/** An address without a listener. */
const unreachableUrl = 'http://127.0.0.1:9';

/** A hub without passwords. */
const noPasswords: KnownPasswords = {
  current: () => ({ admin: '', contributor: '', idleMinutes: 30 }),
  pending: () => undefined,
  refresh: async () => undefined,
};

/** Starts a gateway for the given services; other services and, by default, the database are unreachable. */
export async function startTestGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const { services, contractText = testContract, timeoutMs = 5_000 } = options;
  const isTrusted = parseTrustedProxies(options.trustedProxies ?? '');
  const down = {
    ingest: unreachableUrl,
    query: unreachableUrl,
    reports: unreachableUrl,
    system: unreachableUrl,
  };
  const upstreams = openUpstreams({ ...down, ...services });
  const log = pino({ level: 'silent' });
  const unreachable = openDatabase({ url: 'postgres://127.0.0.1:9/none', max: 1, name: 'test', log });
  const app = createGatewayApp({
    pool: unreachable.pool,
    prisma: unreachable.prisma,
    transaction: unreachable.transaction,
    notifier: { notify: () => undefined, wake: () => undefined, settled: async () => undefined },
    tokens: new AccessTokens({ prisma: options.prisma ?? unreachable.prisma, log, isListening: () => false }),
    clock: systemClock,
    passwords: noPasswords,
    mcpToken: undefined,
    assistantSettings: async () => ({ isEnabled: false, language: 'en', baseUrl: '' }),
    webDir: undefined,
    contractPage: undefined,
    corsOrigins: new Set(),
    idleTimeoutMs: 30_000,
    clientStallTimeoutMs: 30_000,
    maxConnectionsPerAddress: 2_000,
    ...options,
    log,
    metrics: createMetrics('gateway'),
    operations: readContract(contractText).operations,
    contractText,
    upstreams,
    internalSecret: options.internalSecret,
    basePath: options.basePath ?? '',
    isTrusted,
    isNamedProxy: options.isNamedProxy ?? isTrusted,
    isKnownHost: parseTrustedHosts(options.trustedHosts ?? ''),
    responseTimeoutMs: timeoutMs,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close().finally(() => clearInterval(sweep));
  };
  const close = async () => {
    app.server.closeAllConnections();
    await app.close();
    await closeUpstreams(upstreams);
    await unreachable.close();
  };
  return { url, port: Number(new URL(url).port), upstreams, stop, close };
}
