import { readdir, readlink } from 'node:fs/promises';
import type pg from 'pg';

/** Returns the query plan of a statement as text. */
export async function readPlan(pool: pg.Pool, sql: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...values]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** Counts the open files of this process below a folder. */
export async function countOpenFiles(folder: string): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((target) => target.startsWith(folder)).length;
}
