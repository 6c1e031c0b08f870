import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { seedCatalogue } from '@birdhub/domain/species';
import { findCompiledProgram } from '@birdhub/launcher/bundles';
import { type Hub, startHub } from '@birdhub/launcher/hub';
import { createLog } from '@birdhub/launcher/log';
import { readOptions, repository } from '@birdhub/launcher/options';
import { migrate } from '@birdhub/shared/db';
import { type CalledFunction, listCalled, type ScriptCoverage } from './called-functions.js';

/** The functions that were called, by service. */
export type CallsByService = ReadonlyMap<string, readonly CalledFunction[]>;

/** A hub of five processes whose calls are counted. */
export interface TracedHub {
  /** With the base path and without a trailing slash. */
  readonly baseUrl: string;
  /** Returns the functions that were called since the last time. */
  takeCalls(): Promise<CallsByService>;
  stop(): Promise<void>;
}

const recorder = new URL('./coverage-recorder.mjs', import.meta.url).href;

/** Starts a hub on an empty data folder from the compiled files, because bundles do not show files. */
export async function startTracedHub(signal: AbortSignal): Promise<TracedHub> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-trace-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  // External services are not called: nothing listens on the discard port.
  const plain = { DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: '0', TZ: 'UTC' };
  const env = { ...plain, PATH: process.env['PATH'], WIKIPEDIA_API_URL: 'http://127.0.0.1:9' };
  try {
    const hub = await startHub({
      options: readOptions(env, repository),
      env: { ...env, TRACE_DIR: folder, NODE_OPTIONS: `--import ${recorder}` },
      findProgram: (name) => findCompiledProgram(name),
      migrate: async (databaseUrl) => (await migrate(databaseUrl, seedCatalogue)).applied,
      log: createLog('trace', () => {}),
      writeLine: (line) => {
        if (/"level":"(error|fatal)"/.test(line)) console.error(line);
      },
      signal,
    });
    return {
      baseUrl: hub.address.replace(/\/$/, ''),
      takeCalls: () => takeCalls(hub, folder),
      stop: () => hub.stop().finally(removeFolder),
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

async function takeCalls({ children }: Hub, folder: string): Promise<CallsByService> {
  const calls = children.map(async ({ name, pid }) => {
    const scripts = (await json(connect(join(folder, `${pid}.sock`)))) as ScriptCoverage[];
    return [name, listCalled(scripts)] as const;
  });
  return new Map(await Promise.all(calls));
}
