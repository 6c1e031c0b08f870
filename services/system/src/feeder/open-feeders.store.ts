import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { FeederDevice } from './feeder-device.js';

/** Takes down that a feeder may be open from now on. */
export async function addOpenFeeder({ openFeeder }: PrismaClient, device: FeederDevice): Promise<void> {
  await openFeeder.create({ data: { device } });
}

/** Every feeder that may be open, each once. SQL, as every hub asks at its start. */
export async function listOpenFeeders(pool: pg.Pool): Promise<FeederDevice[]> {
  const { rows } = await pool.query<{ device: FeederDevice }>({
    name: 'open-feeders',
    text: 'SELECT DISTINCT device FROM open_feeder',
  });
  return rows.map(({ device }) => device);
}

/** Takes down that a feeder is closed. */
export async function removeOpenFeeder({ openFeeder }: PrismaClient, device: FeederDevice): Promise<void> {
  await openFeeder.deleteMany({ where: { device: { equals: device } } });
}
