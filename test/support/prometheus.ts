import { spawnSync } from 'node:child_process';
import { respondsOk } from '@birdhub/launcher/lifecycle';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { startTestProcess } from '@birdhub/testing/test-process';
import { findProgram } from './find-program.js';

/** The programs of Prometheus. */
export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly promtool: string;
}

/** A running Prometheus. */
export interface Prometheus {
  /** Returns the data of a path of its API below `/api/v1/`. */
  read<T>(path: string): Promise<T>;
  stop(): Promise<void>;
}

/** Returns the paths of the programs; undefined when one is missing. */
export function findPrometheus(): PrometheusPrograms | undefined {
  const prometheus = findProgram('prometheus');
  const promtool = findProgram('promtool', 'prometheus');
  return prometheus && promtool ? { prometheus, promtool } : undefined;
}

/** Runs promtool and returns whether it succeeded, and its output. */
export function runPromtool({ promtool }: PrometheusPrograms, args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(promtool, args, { input, encoding: 'utf8' });
  return { isOk: status === 0, output: stdout + stderr };
}

/** Starts Prometheus on a free loopback port and resolves when it is ready. */
export function startPrometheus(programs: PrometheusPrograms, files: PrometheusFiles): Promise<Prometheus> {
  return listenOnAny((port) => startOn(port, programs, files), drawPort());
}

interface PrometheusFiles {
  readonly configFile: string;
  readonly dataDir: string;
}

/** @throws with the code EADDRINUSE when another program has the port */
async function startOn(
  port: number,
  { prometheus }: PrometheusPrograms,
  { configFile, dataDir }: PrometheusFiles,
): Promise<Prometheus> {
  const address = `127.0.0.1:${port}`;
  const args = { 'config.file': configFile, 'storage.tsdb.path': dataDir, 'web.listen-address': address };
  const { output, stop } = await startTestProcess(
    prometheus,
    Object.entries(args).map(([name, value]) => `--${name}=${value}`),
    {
      // Another program on the port may respond as well.
      isReady: async (text) =>
        text.includes('Server is ready') && (await respondsOk(`http://${address}/-/ready`)),
    },
  );
  return {
    async read(path) {
      const response = await fetch(`http://${address}/api/v1/${path}`);
      if (!response.ok) throw new Error(`${path} returned ${response.status}: ${output()}`);
      return ((await response.json()) as { data: never }).data;
    },
    stop,
  };
}
