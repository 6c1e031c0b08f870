import type { FilesJob } from '../limits/read-files.js';
import { atLeastTimes, atMost } from '../report/judge.js';
import type { Comparison, ResultRow } from '../report/result-row.js';
import { runJob } from '../run/job-process.js';
import { type KeptCrops, keepCrops } from '../run/keep-crops.js';
import { watchMemory } from '../run/memory-watch.js';
import { type ProcessUse, watchProcesses } from '../run/process-watch.js';
import { median } from '../run/quantile.js';
import { readResponse } from '../run/read-response.js';
import { withFileSender } from '../run/with-limit.js';
import type { BenchCase, HubBench } from './bench-case.js';

const readProcess = new URL('../limits/read-files-process.ts', import.meta.url);
/** The first one is a warm-up. */
const rounds = 4;

/** Seconds that each way of reading the same files takes. */
interface Ways {
  readonly hub: number;
  readonly read: number;
  readonly sent: number;
  /** Use of the processes while the hub sent the archive. */
  readonly processes: readonly ProcessUse[];
}

const medians = (measured: readonly Ways[]): Ways => ({
  processes: measured.at(-1)?.processes ?? [],
  hub: median(measured.map(({ hub }) => hub)),
  read: median(measured.map(({ read }) => read)),
  sent: median(measured.map(({ sent }) => sent)),
});

/** Measures all ways alternately, so that a slow moment of the machine affects all of them. */
function measureWays({ hub }: HubBench, { firstDate, files }: KeptCrops): Promise<Ways> {
  return withFileSender(files, async (sender) => {
    const measured: Ways[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const read = await runJob<FilesJob, number>(readProcess, { files });
      const sent = await readResponse(sender);
      const watch = watchProcesses(hub.roots);
      const response = await readResponse(`${hub.origin}/api/ui/dataset/export?start_date=${firstDate}`);
      const processes = watch.stop();
      if (response.bytes < sent.bytes)
        throw new Error(`the archive has ${response.bytes} bytes, its files ${sent.bytes}`);
      measured.push({ read, sent: sent.seconds, hub: response.seconds, processes });
    }
    return medians(measured.slice(1));
  });
}

/** A training set of stored crops, compared with reading and sending their files. */
export const datasetCase: BenchCase = {
  name: 'dataset',
  about: 'a ZIP of 10,000 crops that are kept',
  kind: 'load',
  async run(bench) {
    const { hub, scale } = bench;
    const crops = await keepCrops(hub, scale.name === '100k' ? 2_000 : 10_000);
    const count = crops.files.length;
    const memory = watchMemory(hub.roots, 'reports');
    const ways = await measureWays(bench, crops);
    const megabytes = memory.stop();
    const against = (name: string, seconds: number): Comparison => ({
      name,
      value: count / seconds,
      unit: '/s',
      ratio: seconds / ways.hub,
    });
    const limit = against('files read', ways.read);
    const title = `dataset of ${count} crops`;
    const rows: ResultRow[] = [
      {
        title,
        single: { value: ways.hub, unit: 's' },
        limit,
        verdict: atLeastTimes(limit, 0.35),
        processes: ways.processes,
      },
      {
        title: `${title}, sent`,
        single: { value: ways.hub, unit: 's' },
        limit: against('files sent by Fastify', ways.sent),
      },
      {
        title: `${title}: memory added to the reports service`,
        single: { value: megabytes, unit: 'MB' },
        verdict: atMost(megabytes, 120, 'MB'),
      },
    ];
    return rows;
  },
};
