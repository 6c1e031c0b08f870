import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

const withPort = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>\d+(?:\.\d+){3}))(?::\d+)?$/;

/**
 * What attempts are counted by: the client's address, of IPv6 the /64 that one household has. Some proxies write a
 * port beside it; what is no address at all shares one count.
 */
export function addressKey({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const { v4, v6 } = withPort.exec(ip)?.groups ?? {};
  const address = v4 ?? v6 ?? ip;
  return isIP(address) ? normalizeIP(address) : 'unknown';
}
