/** The schema that the divided tables are in, under the names of the plain ones. */
export const monthly = 'monthly';

/** How the rows of a table get a time, where they have none themselves. */
const owners = {
  video: undefined,
  video_food: 'JOIN public.video owner ON owner.id = video_id',
  species_visit: undefined,
  detection: undefined,
  detection_track: 'JOIN public.detection owner ON owner.id = detection_id',
} as const;

/** The tables that grow with recordings: those that are divided. */
export type DividedTable = keyof typeof owners;

export const dividedTables = Object.keys(owners) as DividedTable[];

/** The statements that make a table divided by month, without months and without keys. */
export function divideSql(table: DividedTable): string[] {
  const time = owners[table] ? ', start_time timestamptz(3) NOT NULL' : '';
  const like = `LIKE public.${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE`;
  const create = `CREATE TABLE ${monthly}.${table} (${like}${time}) PARTITION BY RANGE (start_time)`;
  if (table !== 'video' && table !== 'species_visit') return [create];
  const sequence = `nextval('public.${table}_id_seq')`;
  return [create, `ALTER TABLE ${monthly}.${table} ALTER id SET DEFAULT ${sequence}`];
}

/** The part of a table that has the rows of a month, such as `2025-07`. */
export const partOf = (table: DividedTable, month: string): string =>
  `${monthly}.${table}_${month.replace('-', '_')}`;

/** Makes the part of a month. */
export function partSql(table: DividedTable, month: string): string {
  const bounds = `('${month}-01') TO (timestamptz '${month}-01' + interval '1 month')`;
  const filled = table === 'species_visit' ? ' WITH (fillfactor = 90)' : '';
  return `CREATE TABLE ${partOf(table, month)} PARTITION OF ${monthly}.${table} FOR VALUES FROM ${bounds}${filled}`;
}

/** Fills a divided table from the plain one. */
export function fillSql(table: DividedTable): string {
  const owner = owners[table];
  const rows = owner
    ? `SELECT own.*, owner.start_time FROM public.${table} own ${owner}`
    : `SELECT * FROM public.${table}`;
  return `INSERT INTO ${monthly}.${table} ${rows}`;
}

/**
 * The index of a divided table that stands for one of the plain table, as `pg_indexes` writes it. What is unique can
 * only be so together with what decides about the part.
 */
export function divideIndexSql(definition: string): string {
  const moved = definition.replace(' ON public.', ` ON ${monthly}.`);
  if (!definition.startsWith('CREATE UNIQUE')) return moved;
  return moved.replace(/ USING btree \(([^)]*)\)/, ' USING btree ($1, start_time)');
}
