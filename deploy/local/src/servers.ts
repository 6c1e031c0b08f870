import type { Log } from './log.js';
import { startNats } from './nats-server.js';
import type { Options } from './options.js';
import { placesIn } from './places.js';
import { startPostgres } from './postgres-server.js';
import type { Step } from './run-all.js';
import type { StateFile } from './state-file.js';

type Server = { readonly url: string; readonly stops: readonly Step[] };

/** Starts the embedded servers that the environment has none of its own for; each notes its stop in `undo`. */
export async function startServers(
  options: Options,
  state: StateFile,
  undo: Step[],
  log: Log,
  signal?: AbortSignal,
): Promise<{ databaseUrl: string; natsUrl: string }> {
  const [postgres, nats] = await Promise.allSettled([
    options.databaseUrl === undefined
      ? embedPostgres(options, state, log, signal)
      : external(options.databaseUrl),
    options.natsUrl === undefined ? embedNats(options, state, log, signal) : external(options.natsUrl),
  ]);
  // The database is stopped after the broker, and either also when the other did not start.
  for (const server of [postgres, nats]) {
    if (server.status === 'fulfilled') undo.unshift(...server.value.stops);
  }
  if (postgres.status === 'rejected') throw postgres.reason;
  if (nats.status === 'rejected') throw nats.reason;
  return { databaseUrl: postgres.value.url, natsUrl: nats.value.url };
}

async function external(url: string): Promise<Server> {
  return { url, stops: [] };
}

async function embedPostgres(
  options: Options,
  state: StateFile,
  log: Log,
  signal?: AbortSignal,
): Promise<Server> {
  const server = await startPostgres({
    dataDir: placesIn(options.dataDir).postgres,
    log,
    signal,
    onChange: ({ pid, port }) => state.note({ name: 'postgres', port, readyUrls: [] }, pid),
  });
  return { url: server.url, stops: [server.stop] };
}

async function embedNats(
  options: Options,
  state: StateFile,
  log: Log,
  signal?: AbortSignal,
): Promise<Server> {
  const server = await startNats({
    storeDir: placesIn(options.dataDir).nats,
    log,
    signal,
    onChange: ({ pid, port }) => state.note({ name: 'nats', port, readyUrls: [] }, pid),
  });
  return { url: server.url, stops: [server.stop] };
}
