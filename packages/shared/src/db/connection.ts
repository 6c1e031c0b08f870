import pg from 'pg';

/** One connection outside the pools. */
export type Connection = pg.Client;

// Texts that come back as the values they were, whatever the server or the role is set to; and no haste.
const settings = [
  'timezone=UTC',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'extra_float_digits=1',
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
];

/** Connects for long work on whole tables; the caller ends it. */
export async function openConnection({ url, name }: { url: string; name: string }): Promise<Connection> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `birdhub-${name}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  });
  // A connection that is lost fails the statement under way; without a listener it would end the process too.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
