import { once } from 'node:events';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { residentMb } from '../e2e/fixtures/linux-processes.js';
import { faultMs, isLong } from './fixtures/size.js';
import { useTrial } from './fixtures/trial.js';

/** Clients of each kind. */
const clients = isLong ? 300 : 50;
/** Size of the file that each reader requests, and the memory that the hub may use for all of them. */
const filmMb = 50;
const maxHeldMb = 250;
const services = ['gateway', 'ingest', 'query', 'reports', 'system'];

/** What clients send before they hang; none of them ever reads. */
const requests = [
  'GET /api/ui/timeline HTTP/1.1\r\nHost: hub\r\nX-Half-A-Head: ',
  'POST /api/processor/videos HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
  'GET /api/ui/events HTTP/1.1\r\nHost: hub\r\n\r\n',
  'GET /api/ui/timeline/export?start_time=1325376000&end_time=1356998400 HTTP/1.1\r\nHost: hub\r\n\r\n',
  'GET /data/recordings/film.mp4 HTTP/1.1\r\nHost: hub\r\n\r\n',
];

const toHex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

describe.skipIf(process.platform !== 'linux')('clients that hang (on Linux)', () => {
  const trial = useTrial();
  const pidOf = (name: string) => trial.hub().processOf(name).process?.pid ?? 0;
  const portOf = () => Number(new URL(trial.hub().baseUrl).port);
  /** Counts the connections of the hub to these clients, as known to the kernel. */
  const countOpen = (ports: readonly number[]) => {
    const [hub, theirs] = [toHex(portOf()), new Set(ports.map(toHex))];
    const rows = readFileSync('/proc/net/tcp', 'utf8').matchAll(/^ *\d+: \w+:(\w+) \w+:(\w+) (?:01|08) /gm);
    const open = [...rows].flatMap(([, from, to = '']) => (from === hub && theirs.has(to) ? [to] : []));
    // The kernel lists one twice when others come and go meanwhile.
    return new Set(open).size;
  };
  const sumMb = () => services.reduce((sum, name) => sum + residentMb(pidOf(name)), 0);

  async function hang(request: string): Promise<Socket> {
    const socket = connect(portOf(), '127.0.0.1');
    // The hub may disconnect them.
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause().write(request);
    return socket;
  }

  it('of all kinds at once, affect no post, take little memory and leave nothing behind', async () => {
    const film = join(trial.hub().recordingsDir, 'film.mp4');
    writeFileSync(film, '');
    truncateSync(film, filmMb * 1_000_000);
    const beforeMb = sumMb();
    let sockets: Socket[] = [];
    let ports: number[] = [];
    const { statuses } = await trial.during({
      name: `${clients} clients that hang, of each of ${requests.length} kinds`,
      async inject() {
        const all = requests.flatMap((request) => Array<string>(clients).fill(request));
        sockets = await Promise.all(all.map(hang));
        ports = sockets.map(({ localPort }) => localPort ?? 0);
        expect(countOpen(ports)).toBe(all.length);
        await pause(faultMs);
        expect(sumMb() - beforeMb).toBeLessThan(maxHeldMb);
      },
      restore() {
        for (const socket of sockets) socket.destroy();
        rmSync(film);
      },
    });
    expect([200, 201]).toEqual(expect.arrayContaining([...statuses.keys()]));
    await vi.waitFor(() => expect(countOpen(ports)).toBe(0));
  });
});
