import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { startTestProcess } from '@birdhub/testing/test-process';

const deployFolder = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** Options of {@link startNginx}. */
export interface NginxStart {
  readonly program: string;
  /** A folder for all files that nginx writes. */
  readonly folder: string;
  /** One of the two servers, and its ports in the container. */
  readonly server: 'http.conf' | 'https.conf';
  readonly ports: readonly number[];
  /** Replacements for other addresses and files of the container. */
  readonly replaced: Readonly<Record<string, string>>;
}

/** A real nginx with the configuration of `deploy/`. */
export interface Nginx {
  /** Pid of the master process. */
  readonly pid: number;
  /** Returns the loopback port that replaces a port of the container. */
  portFor(containerPort: number): number;
  readonly output: () => string;
  stop(): Promise<void>;
}

/** Replacements for nginx before 1.25.1, which has no `http2` directive. */
const olderHttp2: readonly [string, string][] = [
  [' ssl;', ' ssl http2;'],
  ['http2 on;', ''],
];

function supportsHttp2Directive(program: string): boolean {
  const { stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' });
  const [, major, minor, patch] = /nginx\/(\d+)\.(\d+)\.(\d+)/.exec(stderr) ?? [];
  return Number(major) * 1e6 + Number(minor) * 1e3 + Number(patch) >= 1_025_001;
}

/** Starts nginx and resolves when it listens. @throws with its output when it ends before */
export function startNginx(start: NginxStart): Promise<Nginx> {
  return listenOnAny((first) => {
    const drawn = new Map(start.ports.map((port) => [port, drawPort([first])]));
    const [main] = start.ports;
    if (main !== undefined) drawn.set(main, first);
    return startOn(drawn, start);
  }, drawPort());
}

/** @throws with the code EADDRINUSE when another program has one of the ports */
async function startOn(
  ports: ReadonlyMap<number, number>,
  { program, folder, server, replaced }: NginxStart,
): Promise<Nginx> {
  mkdirSync(folder, { recursive: true });
  // The workers drop root privileges.
  chmodSync(folder, 0o777);
  const listens = [...ports].map(([from, to]) => [`listen ${from}`, `listen 127.0.0.1:${to}`]);
  // The pipes of Node.js are sockets, which cannot be opened by name.
  const places = Object.entries({
    '/tmp/': `${folder}/`,
    '/dev/stdout': `${folder}/access.log`,
    ...replaced,
  });
  const changes = [...listens, ...places, ...(supportsHttp2Directive(program) ? [] : olderHttp2)];
  const place = (from: string, to: string) => {
    const text = readFileSync(join(deployFolder, from), 'utf8');
    writeFileSync(
      join(folder, to),
      changes.reduce((result, [old = '', now = '']) => result.replaceAll(old, now), text),
    );
  };
  place('nginx.conf', 'nginx.conf');
  place('nginx/hub.conf', 'hub.conf');
  place(`nginx/${server}`, 'server.conf');
  const pidFile = join(folder, 'nginx.pid');
  rmSync(pidFile, { force: true });
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
  const { child, output, stop } = await startTestProcess(program, args, {
    // Written once it listens on all its ports.
    isReady: (_output, pid) => Number(readIfExists(pidFile)) === pid,
  });
  const portFor = (containerPort: number) => ports.get(containerPort) ?? 0;
  return { pid: child.pid ?? 0, portFor, output, stop };
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
