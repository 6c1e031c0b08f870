import { type Connection, openConnection } from '@birdhub/shared/db';
import { explainDatabase } from './explain-failure.js';

/** Works on one connection to the hub's database; ending it also ends what is left of a transaction. */
export async function withConnection<T>(
  url: string,
  name: string,
  work: (client: Connection) => Promise<T>,
): Promise<T> {
  try {
    const client = await openConnection({ url, name });
    return await work(client).finally(() => client.end());
  } catch (error) {
    throw explainDatabase(error);
  }
}
