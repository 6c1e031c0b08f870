import type pg from 'pg';
import type { ReservedIds } from './ids.store.js';
import type { ImportReport } from './import-report.js';
import type { OldHub } from './old-hub.js';
import { idOf, type OldRow, textOf } from './old-rows.js';

const addSql = `
  INSERT INTO bird_food (id, name, description, image_url)
  SELECT coalesce((SELECT $1::int WHERE NOT EXISTS (SELECT FROM bird_food WHERE id = $1)),
    nextval('bird_food_id_seq')), $2, $3, $4
  WHERE NOT EXISTS (SELECT FROM bird_food WHERE lower(name) = lower($2))
  ON CONFLICT (lower(name)) DO NOTHING`;

const longestName = 100;

/** Adds the foods that this hub does not know, which nobody offers here yet; answers their ids by the old ones. */
export async function takeFoods(
  old: OldHub,
  { pool, ids, report }: { readonly pool: pg.Pool; readonly ids: ReservedIds; readonly report: ImportReport },
): Promise<Map<number, number>> {
  const taken = new Map<number, number>();
  for (const row of old.readFoods()) {
    const [oldId, name] = [idOf(row, 'id'), textOf(row, 'name', longestName)?.normalize('NFC')];
    if (oldId === undefined || name === undefined) {
      report.skip('a food has no name', oldId);
      continue;
    }
    const { rowCount } = await pool.query(addSql, [
      ids.has('bird_food', oldId) ? oldId : null,
      name,
      ...about(row),
    ]);
    if (rowCount) report.count('foods');
    const { rows } = await pool.query<{ id: number }>(
      'SELECT id FROM bird_food WHERE lower(name) = lower($1)',
      [name],
    );
    if (rows[0]) taken.set(oldId, rows[0].id);
  }
  return taken;
}

const about = (row: OldRow) => [textOf(row, 'description') ?? null, textOf(row, 'image_url', 2_000) ?? null];
