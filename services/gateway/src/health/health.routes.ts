import { access, type Condition, type Conditions, type HubApp, readinessPath } from '@birdhub/shared/app';
import { createSingleFlight } from '@birdhub/shared/async';
import type { Dispatcher } from 'undici';
import { type ServiceName, serviceNames, type Upstreams } from '../proxy/upstreams.js';
import { HealthSchema, type HubReadiness, HubReadinessSchema } from './health.schema.js';

const tags = ['status'];

const healthSchema = {
  operationId: 'getHealth',
  summary: 'Get the health of the gateway',
  tags,
  security: access.open,
  response: { 200: HealthSchema },
};

const readinessSchema = {
  operationId: 'getReadiness',
  summary: 'Get the readiness of the hub and its parts',
  tags,
  security: access.open,
  response: { 200: HubReadinessSchema, 503: HubReadinessSchema },
};

/** Dependencies of these routes. */
export interface HealthDeps {
  readonly basePath: string;
  readonly upstreams: Pick<Upstreams, 'health'>;
  readonly internalSecret: string | undefined;
}

/** `GET /api/ui/health`, `GET /api/ui/readiness` */
export function healthRoutes(app: HubApp, { basePath, upstreams, internalSecret }: HealthDeps): void {
  const headers = internalSecret === undefined ? {} : { 'x-hub-internal': internalSecret };
  const probes = createSingleFlight<Reports>();
  app.get(`${basePath}/api/ui/health`, { schema: healthSchema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' } as const;
  });
  app.get(`${basePath}/api/ui/readiness`, { schema: readinessSchema }, async (_request, reply) => {
    const readiness = combineReadiness(
      await probes.run('all', () => probeServices(upstreams.health, headers)),
    );
    reply.header('cache-control', 'no-store').code(readiness.status === 'error' ? 503 : 200);
    return readiness;
  });
}

/** The report of each service; undefined when it did not respond. */
type Reports = Readonly<Record<ServiceName, Conditions | undefined>>;

/**
 * Returns the readiness of the hub: `degraded` when only the broker is unavailable, as everything that users see keeps
 * working; `error` when anything else is.
 */
function combineReadiness(reports: Reports): HubReadiness {
  const responses = serviceNames.flatMap((name) => reports[name] ?? []);
  const of = (name: ServiceName) => (reports[name] ? 'ok' : 'error');
  const checks = {
    database: worst(responses.map(({ database }) => database)),
    broker: worst(responses.map(({ broker }) => broker)),
    ingest: of('ingest'),
    query: of('query'),
    reports: of('reports'),
    system: of('system'),
  } as const;
  const { broker, ...needed } = checks;
  if (Object.values(needed).includes('error')) return { status: 'error', checks };
  return { status: broker === 'ok' ? 'ok' : 'degraded', checks };
}

function worst(conditions: readonly Condition[]): 'ok' | 'error' {
  return conditions.includes('ok') && !conditions.includes('error') ? 'ok' : 'error';
}

/** Longer than a service waits for its database, but short enough to report readiness within two seconds. */
const probeTimeoutMs = 1_800;

async function probeServices(
  upstreams: Upstreams['health'],
  headers: Readonly<Record<string, string>>,
): Promise<Reports> {
  const [ingest, query, reports, system] = await Promise.all([
    probe(upstreams.ingest, headers),
    probe(upstreams.query, headers),
    probe(upstreams.reports, headers),
    probe(upstreams.system, headers),
  ]);
  return { ingest, query, reports, system };
}

/** Returns undefined on any failure: a service that does not respond is not ready. */
async function probe(
  upstream: Dispatcher,
  headers: Readonly<Record<string, string>>,
): Promise<Conditions | undefined> {
  let timer: NodeJS.Timeout | undefined;
  // A signal does not abort a request that waits for a connection.
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), probeTimeoutMs);
  });
  try {
    return await Promise.race([readConditions(upstream, headers).catch(() => undefined), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function readConditions(
  upstream: Dispatcher,
  headers: Readonly<Record<string, string>>,
): Promise<Conditions | undefined> {
  const signal = AbortSignal.timeout(probeTimeoutMs);
  const response = await upstream.request({ path: readinessPath, method: 'GET', headers, signal });
  const body = await response.body.json();
  return response.statusCode === 200 ? (body as Conditions) : undefined;
}
