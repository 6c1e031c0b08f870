import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '@birdhub/launcher/find-tool';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { startTestProcess, type TestProcess } from './test-process.js';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/mosquitto', import.meta.url));

/** The programs of Mosquitto. */
export interface MosquittoPrograms {
  readonly mosquitto: string;
  readonly mosquittoPub: string;
  /** The environment to run them with, in which unpacked programs find their libraries. */
  readonly env: NodeJS.ProcessEnv;
}

/** A Mosquitto on a free loopback port with its sessions on disk. */
export interface Mosquitto {
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  /** Kills it. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the paths of the programs; undefined when they are neither installed nor unpacked by `npm test`. */
export function findMosquitto(): MosquittoPrograms | undefined {
  const folders = ['usr/sbin', 'usr/bin'].map((below) => join(cache, below));
  const path = [process.env['PATH'], '/usr/sbin', ...folders].join(delimiter);
  try {
    const env = { ...process.env, PATH: path, LD_LIBRARY_PATH: libraryFolders().join(delimiter) };
    return { mosquitto: findTool('mosquitto', path), mosquittoPub: findTool('mosquitto_pub', path), env };
  } catch (error) {
    if (error instanceof LauncherError) return undefined;
    throw error;
  }
}

function libraryFolders(): string[] {
  const folders = ['usr/lib', 'lib'].map((below) => join(cache, below));
  return folders.flatMap((folder) => {
    try {
      return [folder, ...readdirSync(folder).map((entry) => join(folder, entry))];
    } catch {
      return [];
    }
  });
}

/** Starts a broker that accepts anonymous clients. */
export async function startMosquitto({ mosquitto, env }: MosquittoPrograms): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'mosquitto-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const configFile = join(folder, 'mosquitto.conf');
  let broker: TestProcess | undefined;

  async function startOn(port: number): Promise<number> {
    // Otherwise the program drops root privileges and cannot write here.
    const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'persistence true', 'user root'];
    writeFileSync(
      configFile,
      [...lines, `persistence_location ${data}/`, 'autosave_on_changes true', 'autosave_interval 1', ''].join(
        '\n',
      ),
    );
    broker = await startTestProcess(mosquitto, ['-c', configFile, '-v'], {
      env,
      isReady: (output) => / running$/m.test(output),
    });
    return port;
  }

  const port = await listenOnAny(startOn, drawPort());
  const kill = async () => broker?.stop('SIGKILL');
  return {
    port,
    env,
    kill,
    start: async () => void (await startOn(port)),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
