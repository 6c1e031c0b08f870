import { createServer } from 'node:net';

// Below the range from which systems take the local ports of outgoing connections, so that a port stays free
// between the moment it is found and the moment a restarted service listens on it again.
const first = 20_000;
const count = 12_000;

/** A TCP port that nobody listens on, on the loopback address. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = first + Math.floor(Math.random() * count);
    if (await isPortFree(port)) return port;
  }
  throw new Error('no free TCP port was found');
}

/** So many different free ports. */
export async function findFreePorts(wanted: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < wanted) ports.add(await findFreePort());
  return [...ports];
}

/** Whether a server may listen there; false also when the address is not one of this machine's or not allowed. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
