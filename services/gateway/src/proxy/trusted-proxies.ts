import { BlockList, isIP } from 'node:net';
import { ConfigError } from '@birdhub/shared/config';

const mapped = /^::ffff:(?=\d+\.)/i;

function addNetwork(networks: BlockList, entry: string): void {
  const [address = '', length, ...rest] = entry.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  const isBits = length === undefined || /^\d{1,3}$/.test(length);
  if (!version || !isBits || bits > most || rest.length) {
    throw new ConfigError(`TRUSTED_PROXIES: ${entry} is not an address or network`);
  }
  networks.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Says of an address whether it is in a comma separated list of addresses and networks (CIDR).
 * @throws ConfigError naming the entry that is neither.
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
