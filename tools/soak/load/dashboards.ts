import { setTimeout as pause } from 'node:timers/promises';
import { ask, type LoadedHub } from './ask.js';

/** The requests of an open web UI: data that changes with each bird every three seconds, other data less often. */
const polls: readonly { readonly everyMs: number; readonly path: (date: string) => string }[] = [
  { everyMs: 3_000, path: (date) => `/api/ui/timeline?date=${date}&limit=100` },
  { everyMs: 3_000, path: (date) => `/api/ui/overview?date=${date}` },
  { everyMs: 3_000, path: () => '/api/ui/species' },
  { everyMs: 6_000, path: (date) => `/api/ui/unknowns?date=${date}` },
  { everyMs: 10_000, path: () => '/api/ui/system/metrics' },
  { everyMs: 15_000, path: () => '/api/ui/status' },
  { everyMs: 15_000, path: () => '/api/ui/cameras' },
  { everyMs: 15_000, path: () => '/api/ui/migration-calendar' },
  { everyMs: 30_000, path: (date) => `/api/ui/system/activity?month=${date.slice(0, 7)}` },
  { everyMs: 30_000, path: () => '/api/ui/system/visitors?days=7' },
  { everyMs: 30_000, path: () => '/api/ui/storage/stats' },
];

/** The day of the hub, which runs in UTC. */
const today = () => new Date().toISOString().slice(0, 10);

/** Returns the name of a request in the tally: its path without the query. */
const nameOf = (path: string) => `GET ${path.split('?')[0]}`;

/** Polls a path with the entity tag of the last response. */
async function pollOn(
  hub: LoadedHub,
  address: string,
  { everyMs, path }: (typeof polls)[number],
  signal: AbortSignal,
): Promise<void> {
  const etags = new Map<string, string>();
  while (!signal.aborted) {
    const asked = path(today());
    const etag = etags.get(asked);
    const headers = { 'x-forwarded-for': address, ...(etag && { 'if-none-match': etag }) };
    const response = await ask(hub, nameOf(asked), asked, { headers });
    const given = response?.headers.get('etag');
    if (given) etags.set(asked, given);
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Opens this number of dashboards, each from its own address; the signal closes them. */
export async function openDashboards(hub: LoadedHub, count: number, signal: AbortSignal): Promise<void> {
  const all = Array.from({ length: count }, async (_, index) => {
    // Dashboards poll at different times.
    await pause(index * 571);
    await Promise.all(polls.map((poll) => pollOn(hub, `192.0.2.${index + 1}`, poll, signal)));
  });
  await Promise.all(all);
}
