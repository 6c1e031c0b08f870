/** The schema of the partitioned tables, which have the names of the plain ones. */
export const monthly = 'monthly';

/** The joins that add a time to the rows of tables without one. */
const owners = {
  video: undefined,
  video_food: 'JOIN public.video owner ON owner.id = video_id',
  species_visit: undefined,
  detection: undefined,
  detection_track: 'JOIN public.detection owner ON owner.id = detection_id',
} as const;

/** The tables that grow with recordings and are partitioned. */
export type DividedTable = keyof typeof owners;

export const dividedTables = Object.keys(owners) as DividedTable[];

/** Returns the statements that create a table partitioned by month, without partitions and keys. */
export function divideSql(table: DividedTable): string[] {
  const time = owners[table] ? ', start_time timestamptz(3) NOT NULL' : '';
  const like = `LIKE public.${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE`;
  const create = `CREATE TABLE ${monthly}.${table} (${like}${time}) PARTITION BY RANGE (start_time)`;
  if (table !== 'video' && table !== 'species_visit') return [create];
  const sequence = `nextval('public.${table}_id_seq')`;
  return [create, `ALTER TABLE ${monthly}.${table} ALTER id SET DEFAULT ${sequence}`];
}

/** Returns the name of the partition of a month, such as `2025-07`. */
export const partOf = (table: DividedTable, month: string): string =>
  `${monthly}.${table}_${month.replace('-', '_')}`;

/** Returns the statement that creates the partition of a month. */
export function partSql(table: DividedTable, month: string): string {
  const bounds = `('${month}-01') TO (timestamptz '${month}-01' + interval '1 month')`;
  const filled = table === 'species_visit' ? ' WITH (fillfactor = 90)' : '';
  return `CREATE TABLE ${partOf(table, month)} PARTITION OF ${monthly}.${table} FOR VALUES FROM ${bounds}${filled}`;
}

/** Returns the statement that fills a partitioned table from the plain one. */
export function fillSql(table: DividedTable): string {
  const owner = owners[table];
  const rows = owner
    ? `SELECT own.*, owner.start_time FROM public.${table} own ${owner}`
    : `SELECT * FROM public.${table}`;
  return `INSERT INTO ${monthly}.${table} ${rows}`;
}

/**
 * Converts the definition of an index of a plain table, from `pg_indexes`, to one for the partitioned table. Unique indexes
 * must include the partition key.
 */
export function divideIndexSql(definition: string): string {
  const moved = definition.replace(' ON public.', ` ON ${monthly}.`);
  if (!definition.startsWith('CREATE UNIQUE')) return moved;
  return moved.replace(/ USING btree \(([^)]*)\)/, ' USING btree ($1, start_time)');
}
