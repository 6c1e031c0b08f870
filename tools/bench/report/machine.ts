import { cpus, totalmem } from 'node:os';
import pg from 'pg';

/** Returns the hardware and the versions of the measurement, without names or dates. */
export async function describeMachine(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return {
      cores: String(cpus().length),
      memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
      node: process.versions.node,
      postgresql: rows[0]?.server_version ?? 'unknown',
      system: `${process.platform} ${process.arch}`,
    };
  } finally {
    await client.end();
  }
}
