const shards = 64;

/**
 * Returns the part of a statement that adds `source`, rows of (name, value), to the maintained counters. Each
 * connection uses its own shard, so that writers do not wait for each other's rows.
 */
export const addToCounters = (source: string) => `
  INSERT INTO hub_counter AS old (name, shard, value)
  SELECT name, pg_backend_pid() % ${shards}, value FROM ${source}
  ON CONFLICT (name, shard) DO UPDATE SET value = old.value + EXCLUDED.value`;
