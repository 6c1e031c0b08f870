import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a test database. */
export interface DatabaseProxy {
  readonly url: string;
  stopForwarding(): void;
  close(): void;
}

/** A TCP proxy to the database that can stop forwarding, like a network that drops packets. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { port, searchParams } = new URL(databaseUrl);
  const socket = `${searchParams.get('host')}/.s.PGSQL.${port}`;
  const halves: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(socket);
    halves.push(near, far);
    for (const half of [near, far]) half.on('error', () => undefined);
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const stopForwarding = () => {
    for (const half of halves) half.unpipe().pause();
  };
  const close = () => {
    server.close();
    for (const half of halves) half.destroy();
  };
  return { url: url.href, stopForwarding, close };
}
