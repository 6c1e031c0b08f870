import type pg from 'pg';
import type { FeederDevice } from './feeder-device.js';

/** Takes down that a feeder may be open from now on. */
export async function addOpenFeeder(pool: pg.Pool, device: FeederDevice): Promise<void> {
  await pool.query('INSERT INTO open_feeder (device) VALUES ($1)', [JSON.stringify(device)]);
}

/** Every feeder that may be open. */
export async function listOpenFeeders(pool: pg.Pool): Promise<FeederDevice[]> {
  const { rows } = await pool.query<{ device: FeederDevice }>({
    name: 'open-feeders',
    text: 'SELECT DISTINCT device FROM open_feeder',
  });
  return rows.map(({ device }) => device);
}

/** Takes down that a feeder is closed. */
export async function removeOpenFeeder(pool: pg.Pool, device: FeederDevice): Promise<void> {
  await pool.query('DELETE FROM open_feeder WHERE device = $1', [JSON.stringify(device)]);
}
