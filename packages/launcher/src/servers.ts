import type { Log } from './log.js';
import { startNats } from './nats-server.js';
import type { Options } from './options.js';
import { placesIn } from './places.js';
import { startPostgres } from './postgres-server.js';
import type { Step } from './run-all.js';
import type { StateFile } from './state-file.js';

type Server = { readonly url: string; readonly stops: readonly Step[] };

/** Where the hub reaches its servers, now. */
export type Servers = { readonly databaseUrl: string; readonly natsUrl: string };

export type ServersDeps = {
  readonly options: Options;
  readonly state: StateFile;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
  /** Told when nats-server had to take another port after a crash: whoever knows the one before is to be told. */
  readonly onMove: () => void;
};

/** Starts the embedded servers that the environment has none of its own for; each notes its stop in `undo`. */
export async function startServers(deps: ServersDeps, undo: Step[]): Promise<Servers> {
  const { databaseUrl, natsUrl } = deps.options;
  const [postgres, nats] = await Promise.allSettled([
    databaseUrl === undefined ? embedPostgres(deps) : external(databaseUrl),
    natsUrl === undefined ? embedNats(deps) : external(natsUrl),
  ]);
  // The database is stopped after the broker, and either also when the other did not start.
  for (const server of [postgres, nats]) {
    if (server.status === 'fulfilled') undo.unshift(...server.value.stops);
  }
  if (postgres.status === 'rejected') throw postgres.reason;
  if (nats.status === 'rejected') throw nats.reason;
  const [database, broker] = [postgres.value, nats.value];
  return {
    databaseUrl: database.url,
    get natsUrl() {
      return broker.url;
    },
  };
}

async function external(url: string): Promise<Server> {
  return { url, stops: [] };
}

async function embedPostgres({ options, state, log, signal }: ServersDeps): Promise<Server> {
  const server = await startPostgres({
    dataDir: placesIn(options.dataDir).postgres,
    log,
    signal,
    onChange: ({ pid, socket }) => state.note({ name: 'postgres', socket, readyUrls: [] }, pid),
  });
  return { url: server.url, stops: [server.stop] };
}

async function embedNats({ options, state, log, signal, onMove }: ServersDeps): Promise<Server> {
  const server = await startNats({
    storeDir: placesIn(options.dataDir).nats,
    reservedPort: options.port,
    log,
    signal,
    onChange: ({ pid, port }) => state.note({ name: 'nats', port, readyUrls: [] }, pid),
    onMove,
  });
  return {
    get url() {
      return server.url;
    },
    stops: [server.stop],
  };
}
