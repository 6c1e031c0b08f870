import { setTimeout as pause } from 'node:timers/promises';
import { ask, type LoadedHub } from './ask.js';

/** What an open web UI asks for: while birds come, what they change every three seconds, the rest now and then. */
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

/** The route of a path as it is reported: the query that says which day stands in it as nothing. */
const nameOf = (path: string) => `GET ${path.split('?')[0]}`;

/** Asks one thing again and again, with what the last answer was called. */
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

/** Opens so many dashboards, each from an address of its own, which are closed by the signal. */
export async function openDashboards(hub: LoadedHub, count: number, signal: AbortSignal): Promise<void> {
  const all = Array.from({ length: count }, async (_, index) => {
    // Not in step with the others.
    await pause(index * 571);
    await Promise.all(polls.map((poll) => pollOn(hub, `192.0.2.${index + 1}`, poll, signal)));
  });
  await Promise.all(all);
}
