import type { LoadCase } from '../cases/bench-case.js';
import type { Scale } from '../data-set/scale.js';
import { describeMachine } from '../report/machine.js';
import type { ResultRow } from '../report/result-row.js';
import { startHub } from './hub-process.js';
import { createLoadMeter } from './load-meter.js';
import { copyFolder } from './work-copy.js';

/** A checkout to be measured, with its store. */
export interface Target {
  readonly repository: string;
  readonly store: string;
  readonly scale: Scale;
}

/** A hub for loads, which runs on a copy of a store. */
export interface LoadSession {
  readonly machine: Readonly<Record<string, string>>;
  run(bench: LoadCase): Promise<ResultRow[]>;
  close(): Promise<void>;
}

/** Copies the store and starts the target's hub on it. */
export async function openLoadSession(target: Target, seconds: number): Promise<LoadSession> {
  const { repository, store, scale } = target;
  const copy = await copyFolder(store);
  try {
    const hub = await startHub({ repository, dataDir: copy.folder });
    const close = async () => {
      await hub.stop();
      await copy.remove();
    };
    try {
      const meter = createLoadMeter(hub, seconds);
      const machine = await describeMachine(hub.databaseUrl);
      return { machine, run: (bench) => bench.run({ hub, scale, meter }), close };
    } catch (error) {
      await hub.stop();
      throw error;
    }
  } catch (error) {
    await copy.remove();
    throw error;
  }
}
