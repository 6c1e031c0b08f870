import { lookup } from 'node:dns/promises';
import { request } from 'node:http';

const askTimeoutMs = 3_000;
const missingColumn = 10;

/** One instance of a service, as its ops port describes it. */
export interface ServiceCondition {
  readonly name: string;
  /** Undefined when the name leads to no address. */
  readonly address: string | undefined;
  readonly condition: 'ready' | 'not ready' | 'down';
  /** What a service that is not ready misses. */
  readonly missing: readonly string[];
}

/**
 * Asks services that run elsewhere, in containers say, whether they are ready: every address that the host names of the
 * URLs lead to, as a service may have several instances.
 */
export async function askServices(opsUrls: readonly URL[]): Promise<ServiceCondition[]> {
  const conditions = await Promise.all(
    opsUrls.map(async (url) => {
      const addresses = await lookup(url.hostname, { all: true }).catch(() => []);
      if (!addresses.length) return [conditionOf(url.hostname, undefined, 'down')];
      return Promise.all(addresses.map(({ address }) => askService(url, address)));
    }),
  );
  return conditions.flat();
}

/** Prints a line for each instance. Returns the exit code: 0 all are ready, 1 not all, 3 none answers. */
export function printServices(conditions: readonly ServiceCondition[]): number {
  for (const { name, address = '-', condition, missing } of conditions) {
    const reason = missing.length ? ` (${missing.join(', ')})` : '';
    console.log(`  ${name.padEnd(missingColumn)} ${address.padEnd(22)} ${condition}${reason}`);
  }
  if (conditions.every(({ condition }) => condition === 'down')) return 3;
  return conditions.every(({ condition }) => condition === 'ready') ? 0 : 1;
}

const conditionOf = (
  name: string,
  address: string | undefined,
  condition: ServiceCondition['condition'],
  missing: readonly string[] = [],
): ServiceCondition => ({ name, address, condition, missing });

function askService(url: URL, address: string): Promise<ServiceCondition> {
  const { hostname: name } = url;
  const port = url.port || '80';
  const shown = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  return new Promise((resolve) => {
    const down = () => resolve(conditionOf(name, shown, 'down'));
    const question = request(
      {
        host: address,
        port,
        path: '/readyz',
        headers: { host: url.host },
        agent: false,
        signal: AbortSignal.timeout(askTimeoutMs),
      },
      async (response) => {
        const chunks: Buffer[] = await response.toArray().catch(() => []);
        const missing = readMissing(Buffer.concat(chunks).toString());
        resolve(conditionOf(name, shown, response.statusCode === 200 ? 'ready' : 'not ready', missing));
      },
    );
    question.on('error', down).end();
  });
}

function readMissing(body: string): string[] {
  try {
    const { missing } = JSON.parse(body);
    return Array.isArray(missing) ? missing.map(String) : [];
  } catch {
    return [];
  }
}
