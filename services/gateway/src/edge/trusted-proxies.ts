import { BlockList, isIP } from 'node:net';
import { ConfigError } from '@birdhub/shared/config';
import type { FastifyRequest } from 'fastify';

/**
 * Parses a comma-separated list of addresses and networks (CIDR). Returns a predicate for addresses.
 * @throws ConfigError naming the invalid entry
 */
export function parseTrustedProxies(list: string): (address: string | undefined) => boolean {
  const networks = new BlockList();
  for (const entry of list.split(',')) if (entry.trim()) addNetwork(networks, entry.trim());
  return (address = '') => {
    const plain = address.replace(mapped, '');
    const version = isIP(plain);
    return version !== 0 && networks.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

const mapped = /^::ffff:(?=\d+\.)/i;

function addNetwork(networks: BlockList, entry: string): void {
  const [address = '', length, ...rest] = entry.split('/');
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  const bits = length === undefined ? maxBits : Number(length);
  const isBits = length === undefined || /^\d{1,3}$/.test(length);
  if (!version || !isBits || bits > maxBits || rest.length) {
    throw new ConfigError(`TRUSTED_PROXIES: ${entry} is not an address or network`);
  }
  networks.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
}

/** The base path and the trusted peers of the gateway. */
export interface PrefixOptions {
  /** Path prefix of the hub, without a trailing slash. */
  readonly basePath: string;
  readonly isTrusted: (address: string | undefined) => boolean;
}

/**
 * Returns the path prefix of the hub in the browser: the part that a trusted proxy removed, by `X-Ingress-Path` of Home
 * Assistant or `X-Forwarded-Prefix`, followed by the base path.
 */
export function prefixOf(
  request: Pick<FastifyRequest, 'headers' | 'socket'>,
  { isTrusted, basePath }: PrefixOptions,
): string {
  const { 'x-ingress-path': ingress, 'x-forwarded-prefix': prefix } = request.headers;
  const forwarded = ingress ?? prefix;
  if (forwarded === undefined || !isTrusted(request.socket.remoteAddress)) return basePath;
  // An invalid header is ignored, as the prefix is used in redirects.
  return plainPrefix.test(String(forwarded)) ? trimPrefix(String(forwarded)) + basePath : basePath;
}

const plainPrefix = /^(\/[\w.~-]+)*\/?$/;

/** Removes trailing slashes of a path prefix. */
export function trimPrefix(prefix: string): string {
  return prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
}
