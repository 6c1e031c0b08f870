import type { HubApp } from '@birdhub/shared/app';
import { ConfigError } from '@birdhub/shared/config';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

const policy = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:', 'https:'],
  'media-src': ["'self'", 'blob:', 'https:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'object-src': ["'none'"],
  'base-uri': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'self'"],
};
const hsts = 'strict-transport-security';

/** Leaves out policies that break a LAN without HTTPS or prevent other front ends from loading media. */
const helmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: policy },
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: { policy: 'same-origin' },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const;

/** The security headers of all responses; HSTS only over HTTPS. */
export class SecurityHeaders {
  readonly #always: (readonly [string, string])[] = [];
  #hsts = '';

  /** Computes the headers once, as those of helmet are the same for all responses. */
  async prepare(): Promise<void> {
    const headers = await headersOfHelmet();
    this.#hsts = headers.get(hsts) ?? '';
    headers.delete(hsts);
    this.#always.push(...headers);
  }

  add(request: FastifyRequest, reply: FastifyReply): void {
    for (const [name, value] of this.#always) reply.header(name, value);
    if (request.protocol === 'https') reply.header(hsts, this.#hsts);
  }
}

async function headersOfHelmet(): Promise<Map<string, string>> {
  const app = fastify();
  await app.register(helmet, helmetOptions);
  app.get('/bare', { helmet: false }, () => '');
  app.get('/', () => '');
  const { headers: bare } = await app.inject('/bare');
  const { headers } = await app.inject('/');
  await app.close();
  const added = Object.entries(headers).filter(([name]) => !(name in bare));
  return new Map(added.map(([name, value]) => [name, String(value)]));
}

const exposedHeaders = [
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Link',
  'Retry-After',
  'Warning',
  'X-Hub-Ignored',
  'X-Request-Id',
];

/** Enables CORS with credentials for these origins. */
export function allowOrigins(app: HubApp, origins: ReadonlySet<string>): void {
  if (!origins.size) return;
  app.register(cors, {
    origin: (origin, callback) => callback(null, origin !== undefined && origins.has(origin)),
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: 600,
    strictPreflight: false,
  });
}

/**
 * Parses a comma-separated list of origins such as `https://birds.example:8443`.
 * @throws ConfigError naming an entry that is not an origin in the form that browsers send
 */
export function parseOrigins(list: string): ReadonlySet<string> {
  const entries = list.split(',').map((entry) => entry.trim());
  const origins = entries.filter((entry) => entry !== '');
  for (const origin of origins) {
    const isWeb = /^https?:\/\//.test(origin);
    if (!isWeb || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new ConfigError(`CORS_ORIGINS: ${origin} is not an origin such as https://birds.example:8443`);
    }
  }
  return new Set(origins);
}
