import { pathsIn } from '@birdhub/launcher/data-folder';
import { createLog } from '@birdhub/launcher/log';
import { startPostgres } from '@birdhub/launcher/postgres-server';
import { dayMs } from '@birdhub/shared/time';
import pg from 'pg';
import { detailSql } from '../../../services/query/src/videos/video.store.js';
import { fixedDays } from '../data-set/scale.js';
import { timelineSql } from '../limits/timeline-sql.js';
import { compareBoxes } from '../partitions/compare-boxes.js';
import { compareLog } from '../partitions/compare-log.js';
import { comparePlanning, type Planned } from '../partitions/compare-planning.js';
import { compareRuns, type Pools } from '../partitions/compare-runs.js';
import { compareClearing, compareSizes } from '../partitions/compare-storage.js';
import { divideTables } from '../partitions/divide-tables.js';
import { monthly } from '../partitions/monthly-sql.js';
import { rangeBoxes, ranged } from '../partitions/range-boxes.js';
import { listComparables, listOfBoxes } from '../partitions/statements.js';
import type { ResultRow } from '../report/result-row.js';
import { signalOnExit } from '../run/signal-on-exit.js';
import { copyFolder } from '../run/work-copy.js';
import type { BenchCase } from './bench-case.js';

const day = new Date(fixedDays.D3000.date);
const window = [day, new Date(day.getTime() + dayMs)];

const planned: readonly Planned[] = [
  { title: 'timeline', text: timelineSql, values: window },
  { title: 'recording', text: detailSql, values: [1] },
];

function openPool(connectionString: string, settings: string): pg.Pool {
  const options = `-c timezone=UTC -c jit=off ${settings}`;
  return new pg.Pool({ connectionString, max: 1, options });
}

type AllPools = Pools & { readonly ranged: pg.Pool };

async function compareAll(client: pg.Client, pools: AllPools, seconds: number): Promise<ResultRow[]> {
  const { months, rows, seconds: dividing } = await divideTables(client);
  const results: ResultRow[] = [
    { title: 'months', single: { value: months.length, unit: '' } },
    { title: 'rows copied and indexed a second', single: { value: Math.round(rows / dividing), unit: '' } },
    ...(await compareSizes(client)),
    await compareBoxes(client),
  ];
  for (const one of planned) results.push(await comparePlanning(pools, one));
  const comparables = await listComparables(pools.plain);
  for (const one of comparables) {
    results.push(await compareRuns({ ...one, title: `${one.title}, by month` }, pools, seconds));
  }
  const ingest = comparables.at(-1);
  if (ingest) results.push(await compareLog(pools, ingest));
  await rangeBoxes(client, months.length);
  for (const one of await listOfBoxes(pools.plain)) {
    const title = `${one.title}, boxes alone in as many ranges of numbers`;
    results.push(
      await compareRuns({ ...one, title }, { plain: pools.plain, monthly: pools.ranged }, seconds),
    );
  }
  // The first month may be incomplete.
  return [...results, ...(await compareClearing(client, months[1] ?? ''))];
}

async function onDatabase(url: string, seconds: number): Promise<ResultRow[]> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c jit=off' });
  await client.connect();
  const pools = {
    plain: openPool(url, ''),
    // Otherwise statements with a time are planned again for each run, as a generic plan seems more expensive.
    monthly: openPool(url, `-c search_path=${monthly},public -c plan_cache_mode=force_generic_plan`),
    ranged: openPool(url, `-c search_path=${ranged},public`),
  };
  try {
    return await compareAll(client, pools, seconds);
  } finally {
    await pools.plain.end();
    await pools.monthly.end();
    await pools.ranged.end();
    await client.end();
  }
}

/** The same statements on the tables of the hub and on copies partitioned by month. */
export const partitionsCase: BenchCase = {
  name: 'partitions',
  about: 'the growing tables divided by month, beside those as they are; only when it is named',
  kind: 'start',
  isOnRequest: true,
  async run({ store, seconds }) {
    const copy = await copyFolder(store);
    try {
      const quiet = { ...createLog('bench'), info: () => undefined };
      const server = await startPostgres({ dataDir: pathsIn(copy.folder).postgres, log: quiet });
      const forget = signalOnExit(() => server.pid, 'SIGINT');
      try {
        return await onDatabase(server.url, seconds);
      } finally {
        await server.stop();
        forget();
      }
    } finally {
      await copy.remove();
    }
  },
};
