import { setTimeout as pause } from 'node:timers/promises';
import { ask, type LoadedHub } from './ask.js';
import type { PostedRecording } from './post-recordings.js';

interface Detail {
  readonly media: string;
  readonly species: readonly { readonly id: number; readonly species_id: number }[];
}

/** Minimum age of recordings that users open; the files of most are ready by then. */
const ageMs = 20_000;
const everyMs = 3_000;
const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.200' };
const videoRoute = '/api/ui/videos/{id}';
const detectionRoute = '/api/ui/detections/{id}';

/** Simulated users who open recordings one after another and change some of them. */
export interface People {
  /** Ids of the recordings that they deleted. */
  readonly deleted: ReadonlySet<number>;
  /** Runs until the signal fires. */
  run(signal: AbortSignal): Promise<void>;
}

/** Returns the newest recording of this age with birds or, every other time, with a film. */
function choose(posted: readonly PostedRecording[], turn: number): PostedRecording | undefined {
  const latest = performance.now() - ageMs;
  const isWanted = (one: PostedRecording) => (turn % 2 ? one.hasFilm : one.detections > 0);
  return posted.findLast((one) => one.answeredAt < latest && isWanted(one));
}

/** Creates users who choose from the posted recordings. */
export function createPeople(hub: LoadedHub, posted: readonly PostedRecording[]): People {
  const deleted = new Set<number>();
  let lastSpecies: number | undefined;

  const send = (method: string, route: string, id: number, body?: object, tail = '') =>
    ask(hub, `${method} ${route}${tail}`, `${route.replace('{id}', String(id))}${tail}`, {
      method,
      headers,
      // Films can be watched before their pictures are created.
      notYet: 'media_pending',
      ...(body && { body: JSON.stringify(body) }),
    });

  async function review(detection: number, own: number, turn: number): Promise<void> {
    const species_id = lastSpecies ?? own;
    lastSpecies = own;
    if (turn % 3 === 0) await send('POST', detectionRoute, detection, {}, '/confirm');
    else await send('PATCH', detectionRoute, detection, { species_id, apply_scope: 'single_track' });
    if (turn % 3 === 2 && species_id !== own) await send('POST', detectionRoute, detection, {}, '/revert');
  }

  async function look(turn: number): Promise<void> {
    const one = choose(posted, turn);
    if (!one || deleted.has(one.id)) return;
    const response = await send('GET', videoRoute, one.id);
    if (!response) return;
    const { media, species }: Detail = JSON.parse(response.text);
    const [first] = species;
    if (media === 'ready') await send('GET', videoRoute, one.id, undefined, '/poster');
    if (media === 'ready' && first) await send('GET', detectionRoute, first.id, undefined, '/crop');
    if (first && turn % 4 < 2) await review(first.id, first.species_id, turn);
    if (turn % 4 === 2) await send('PATCH', videoRoute, one.id, { favorite: turn % 8 === 2 });
    if (turn % 12 !== 11) return;
    if (await send('DELETE', videoRoute, one.id)) deleted.add(one.id);
  }

  return {
    deleted,
    async run(signal) {
      for (let turn = 0; !signal.aborted; turn += 1) {
        await look(turn);
        await pause(everyMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
