import pg from 'pg';
import { planDays } from '../data-set/day-plan.js';
import { generateDays } from '../data-set/generate-days.js';
import { cameraIds, fixedDays, type Scale } from '../data-set/scale.js';
import { foodPeriods, weatherOf } from '../data-set/surroundings.js';
import { type CopyTarget, copyInto } from './copy-in.js';
import { dayLines } from './day-lines.js';
import { findSpecies, finishTables, insertFixedRows, insertTotals } from './fixed-rows.js';
import { StoreTotals } from './rollups.js';
import { type LoadedTable, loadedTables } from './tables.js';

const tables = Object.keys(loadedTables) as LoadedTable[];

/** Returns whether the boxes of a day are stored: those of the last days and of the fixed ones. */
function hasBoxes(index: number, date: string, scale: Scale): boolean {
  const isFixed = Object.values(fixedDays).some((day) => day.date === date);
  return isFixed || index >= scale.days - scale.daysWithBoxes;
}

type Targets = ReadonlyMap<LoadedTable, CopyTarget>;

/** Opens a COPY into each table at the same time, and finishes them after `work`. */
async function withTargets(databaseUrl: string, work: (targets: Targets) => Promise<void>): Promise<void> {
  const targets = new Map<LoadedTable, CopyTarget>();
  try {
    for (const table of tables) targets.set(table, await copyInto(databaseUrl, table, loadedTables[table]));
    await work(targets);
    await Promise.all([...targets.values()].map((target) => target.finish()));
  } finally {
    await Promise.all([...targets.values()].map((target) => target.close()));
  }
}

async function load(databaseUrl: string, scale: Scale, client: pg.Client): Promise<void> {
  const plans = planDays(scale);
  const periods = foodPeriods(plans);
  const species = await findSpecies(client);
  const foodIds = await insertFixedRows(client, scale, periods);
  const totals = new StoreTotals();
  await withTargets(databaseUrl, async (targets) => {
    let index = 0;
    for (const day of generateDays(scale, plans)) {
      const weather = weatherOf(day, 1 + index * 24);
      const fed = periods.findLast(({ start }) => start <= day.start)?.foods ?? [];
      const ids = fed.flatMap((food) => foodIds[food] ?? []);
      const context = { species, weather, foodIds: ids, hasBoxes: hasBoxes(index, day.date, scale) };
      const lines = dayLines(day, context);
      for (const [table, target] of targets) await target.write(lines[table]);
      totals.count(day, (camera) => cameraIds[camera] ?? '');
      index += 1;
    }
  });
  await insertTotals(client, totals, species);
}

/** Fills a migrated, empty database with the data set of a scale. */
export async function loadDataSet(databaseUrl: string, scale: Scale): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'birdhub-bench-load' });
  await client.connect();
  try {
    await load(databaseUrl, scale, client);
    await finishTables(client);
  } finally {
    await client.end();
  }
}
