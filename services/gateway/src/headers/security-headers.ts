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
const overHttps = 'strict-transport-security';

/** What a browser minds on a LAN without HTTPS, or what keeps front ends elsewhere from loading media, is left out. */
const options = {
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

/** What helmet adds to an answer; it would make the same anew for each. */
async function headersOfHelmet(): Promise<Map<string, string>> {
  const app = fastify();
  await app.register(helmet, options);
  app.get('/bare', { helmet: false }, () => '');
  app.get('/', () => '');
  const { headers: bare } = await app.inject('/bare');
  const { headers } = await app.inject('/');
  await app.close();
  const added = Object.entries(headers).filter(([name]) => !(name in bare));
  return new Map(added.map(([name, value]) => [name, String(value)]));
}

/** The headers that tell browsers what the hub's pages may do. */
export interface SecurityHeaders {
  /** To be awaited before the first answer. */
  prepare(): Promise<void>;
  add(request: FastifyRequest, reply: FastifyReply): void;
}

export function createSecurityHeaders(): SecurityHeaders {
  const always: (readonly [string, string])[] = [];
  let transport = '';
  return {
    async prepare() {
      const headers = await headersOfHelmet();
      transport = headers.get(overHttps) ?? '';
      headers.delete(overHttps);
      always.push(...headers);
    },
    add(request, reply) {
      for (const [name, value] of always) reply.header(name, value);
      if (request.protocol === 'https') reply.header(overHttps, transport);
    },
  };
}
