import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamName } from '@birdhub/shared/bus';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { connect } from 'nats';

/** A nats-server for one test file, which can be killed and restarted with the same port and store. */
export interface TestNats {
  readonly url: string;
  start(): Promise<void>;
  /** Kills the server, without a graceful shutdown. */
  kill(): Promise<void>;
  /** Deletes the store of the stopped server. */
  wipe(): Promise<void>;
  /** Deletes the events of the stream before a sequence number, as its maximum age does. */
  forget(beforeSequence: number): Promise<void>;
  /** Stops the server and deletes its store. */
  stop(): Promise<void>;
}

const readyLine = 'Server is ready';

// Debian installs servers in folders of the PATH of root. With `exec`, the signal reaches the server, not a shell.
const command = 'PATH="$PATH:/usr/sbin:/usr/local/sbin" exec nats-server "$@"';

function launch(args: string[]): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', command, 'sh', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  // A test that fails during its set-up does not stop the server.
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  child.once('exit', () => process.off('exit', killOnExit));
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!output.includes(readyLine)) return;
      child.stderr.removeAllListeners('data').resume();
      resolve(child);
    });
    child.once('error', reject);
    child.once('exit', (status) => {
      const code = output.includes('address already in use') ? 'EADDRINUSE' : undefined;
      reject(Object.assign(new Error(`nats-server ended with ${status}: ${output}`), { code }));
    });
  });
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Starts a server with JetStream on a free loopback port; `args` are added to its command line. */
export async function startTestNats(args: string[] = []): Promise<TestNats> {
  const store = await mkdtemp(join(tmpdir(), 'birdhub-nats-'));
  const argsOn = (port: number) => ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store, ...args];
  const launchOn = async (port: number) => ({ port, process: await launch(argsOn(port)) });
  const first = await listenOnAny(launchOn, drawPort());
  const { port } = first;
  let child: ChildProcess | undefined = first.process;
  const wipe = () => rm(store, { recursive: true, force: true });
  const kill = async () => {
    await end(child);
    child = undefined;
  };
  const url = `nats://127.0.0.1:${port}`;
  return {
    url,
    async forget(beforeSequence) {
      const connection = await connect({ servers: url });
      await (await connection.jetstreamManager()).streams.purge(streamName, { seq: beforeSequence });
      await connection.close();
    },
    kill,
    wipe,
    async start() {
      child = await launch(argsOn(port));
    },
    async stop() {
      await kill();
      await wipe();
    },
  };
}
