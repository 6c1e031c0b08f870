import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamName } from '@birdhub/shared/bus';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { connect } from 'nats';
import { startTestProcess, type TestProcess } from './test-process.js';

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

// Debian installs servers in folders of the PATH of root. With `exec`, the signal reaches the server, not a shell.
const command = 'PATH="$PATH:/usr/sbin:/usr/local/sbin" exec nats-server "$@"';

function launch(args: string[]): Promise<TestProcess> {
  return startTestProcess('sh', ['-c', command, 'sh', ...args], {
    isReady: (output) => output.includes('Server is ready'),
  });
}

/** Starts a server with JetStream on a free loopback port; `args` are added to its command line. */
export async function startTestNats(args: string[] = []): Promise<TestNats> {
  const store = await mkdtemp(join(tmpdir(), 'birdhub-nats-'));
  const argsOn = (port: number) => ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store, ...args];
  const launchOn = async (port: number) => ({ port, server: await launch(argsOn(port)) });
  const first = await listenOnAny(launchOn, drawPort());
  const { port } = first;
  let server: TestProcess | undefined = first.server;
  const wipe = () => rm(store, { recursive: true, force: true });
  const kill = async () => {
    await server?.stop('SIGKILL');
    server = undefined;
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
      server = await launch(argsOn(port));
    },
    async stop() {
      await kill();
      await wipe();
    },
  };
}
