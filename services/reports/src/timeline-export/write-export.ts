import type { Settings } from '@birdhub/domain/settings';
import type pg from 'pg';
import { toChecklists } from './ebird-checklists.js';
import { ebirdRecords } from './ebird-record.js';
import { type ExportSearch, readRows, readSightings } from './export.store.js';
import { exportColumns } from './timeline-export.schema.js';

/** The export as RFC 4180 CSV, piece by piece. */
export async function* writeCsv(pool: pg.Pool, search: ExportSearch): AsyncGenerator<string> {
  yield `${exportColumns.join(',')}\r\n`;
  yield* readRows(pool, 'csv', search);
}

/** The export as a JSON array, piece by piece. */
export async function* writeJson(pool: pg.Pool, search: ExportSearch): AsyncGenerator<string> {
  let before = '[';
  for await (const rows of readRows(pool, 'json', search)) {
    yield before;
    yield rows;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/**
 * The export in eBird's record format, whole: how long it is must be known before it is sent.
 * @throws the reason of an abort
 */
export async function writeEbird(
  pool: pg.Pool,
  search: ExportSearch,
  settings: Settings,
  signal: AbortSignal,
): Promise<Buffer> {
  const names = new Map(Object.entries(settings.ebird.species_mapping));
  const nameOf = (name: string) => names.get(name) ?? name;
  const checklists = await toChecklists(
    readSightings(pool, search, signal),
    settings.general.timezone,
    nameOf,
  );
  return Buffer.from(checklists.map((checklist) => ebirdRecords(checklist, settings)).join(''));
}
