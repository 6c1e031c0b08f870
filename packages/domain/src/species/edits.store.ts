import type pg from 'pg';

/** What a person says of a species; what is left out stays, null takes away. */
export interface SpeciesPatch {
  readonly name?: string;
  readonly scientificName?: string | null;
  readonly ebirdCode?: string | null;
  readonly parentId?: number | null;
  readonly active?: boolean;
  readonly imageUrl?: string | null;
  readonly description?: string | null;
}

/** A species before it is changed. */
export interface EditedSpecies extends Required<SpeciesPatch> {
  readonly id: number;
  readonly rank: string;
}

const columns: Record<keyof SpeciesPatch, string> = {
  name: 'name',
  scientificName: 'scientific_name',
  ebirdCode: 'ebird_code',
  parentId: 'parent_id',
  active: 'active',
  imageUrl: 'image_url',
  description: 'description',
};

/** The name of a field on the wire and in the table. */
export const columnOf = (field: keyof SpeciesPatch): string => columns[field];

/** A species that is about to be changed, kept from others until the end of the transaction. */
export async function lockSpecies(client: pg.ClientBase, id: number): Promise<EditedSpecies | undefined> {
  const { rows } = await client.query<EditedSpecies>(
    `SELECT id, rank, name, scientific_name AS "scientificName", ebird_code AS "ebirdCode", parent_id AS "parentId",
       active, image_url AS "imageUrl", description
     FROM species WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
}

/** Gives a species one more spelling; answers the species that has it, which is another one when it was taken. */
export async function claimSpelling(client: pg.ClientBase, key: string, id: number): Promise<number> {
  await client.query('INSERT INTO species_alias (key, species_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    key,
    id,
  ]);
  const { rows } = await client.query<{ owner: number }>(
    'SELECT species_id AS owner FROM species_alias WHERE key = $1',
    [key],
  );
  return rows[0]?.owner ?? id;
}

/** The species that has an eBird code. */
export async function findByEbirdCode(client: pg.ClientBase, code: string): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM species WHERE ebird_code = $1', [code]);
  return rows[0]?.id;
}

/** What an encyclopedia says stands in for what a person takes away. */
const infoColumns: readonly (keyof SpeciesPatch)[] = ['imageUrl', 'description'];

function assignment(field: keyof SpeciesPatch, parameter: string): string {
  const column = columns[field];
  if (!infoColumns.includes(field)) return `${column} = ${parameter}`;
  return `${column} = coalesce(${parameter}, (SELECT ${column} FROM species_info WHERE species_id = $1))`;
}

/** Writes the fields of a patch, of which there is at least one. */
export async function updateSpecies(client: pg.ClientBase, id: number, patch: SpeciesPatch): Promise<void> {
  const fields = Object.keys(patch) as (keyof SpeciesPatch)[];
  const assignments = fields.map((field, at) => assignment(field, `$${at + 2}`));
  const values = fields.map((field) => patch[field]);
  await client.query(`UPDATE species SET ${assignments.join(', ')} WHERE id = $1`, [id, ...values]);
}

/** Makes every tree in memory one of the past. */
export async function turnTree(client: pg.ClientBase): Promise<void> {
  await client.query('UPDATE visit_rule SET tree_revision = tree_revision + 1');
}
