import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitReady } from '../../deploy/local/src/wait-ready.js';

const delivered = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** How the delivered configuration is used here. */
export type NginxStart = {
  readonly program: string;
  /** Of its own; everything that nginx writes is below it. */
  readonly folder: string;
  /** Which of the two servers, and the ports in the place of those that it has in its container. */
  readonly server: 'http.conf' | 'https.conf';
  readonly ports: Readonly<Record<string, number>>;
  /** What else stands elsewhere than in its container: addresses and files. */
  readonly replaced: Readonly<Record<string, string>>;
};

/** A real nginx with the configuration of `deploy/`. */
export type Nginx = {
  /** Of the process that its workers belong to. */
  readonly pid: number;
  readonly output: () => string;
  stop(): Promise<void>;
};

/** Starts nginx and returns when it listens. @throws with what it said when it ends before that */
export async function startNginx({ program, folder, server, ports, replaced }: NginxStart): Promise<Nginx> {
  mkdirSync(folder, { recursive: true });
  // Its workers give up the rights of root.
  chmodSync(folder, 0o777);
  const listens = Object.entries(ports).map(([from, to]) => [`listen ${from}`, `listen 127.0.0.1:${to}`]);
  // A pipe of Node.js is a socket, which cannot be opened by a name.
  const places = Object.entries({
    '/tmp/': `${folder}/`,
    '/dev/stdout': `${folder}/access.log`,
    ...replaced,
  });
  const changes = [...listens, ...places];
  const place = (from: string, to: string) => {
    const text = readFileSync(join(delivered, from), 'utf8');
    writeFileSync(
      join(folder, to),
      changes.reduce((result, [old = '', now = '']) => result.replaceAll(old, now), text),
    );
  };
  place('nginx.conf', 'nginx.conf');
  place('nginx/hub.conf', 'hub.conf');
  place(`nginx/${server}`, 'server.conf');
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  child.once('exit', () => process.off('exit', killWithUs));
  const output = collectOutput(child);
  await waitReady({
    what: 'nginx',
    isReady: async () => (await Promise.all(Object.values(ports).map(isListening))).every(Boolean),
    findFailure: () => (hasEnded(child) ? output() : undefined),
    timeoutMs: 20_000,
  });
  return { pid: child.pid ?? 0, output, stop: () => end(child) };
}

function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return () => output;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
