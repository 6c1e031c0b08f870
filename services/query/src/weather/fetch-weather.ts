import type { Settings } from '@birdhub/domain/settings';
import type { Bell, PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type { HubOutside } from '../outside/hub-outside.js';
import { OutsideError } from '../outside/outside-error.js';
import { addSnapshot, weatherService } from './weather.store.js';
import { chooseSource, type WeatherSource, weatherDrivers } from './weather-source.js';

/** What the weather is fetched with. */
export interface WeatherFetching {
  readonly prisma: PrismaClient;
  readonly outside: HubOutside;
  readonly bell: Pick<Bell, 'ring'>;
  readonly clock: Clock;
}

const minute = 60_000;
const freshMs = 10 * minute;
const retryMs = 2 * minute;

async function fetchSnapshot(fetching: WeatherFetching, { name, request }: WeatherSource): Promise<number> {
  const { prisma, outside, clock } = fetching;
  const weather = weatherDrivers[name].read(await outside.services[name].getJson(request));
  if (!weather) throw new OutsideError(`${name} answered no weather`);
  return addSnapshot(prisma, { source: name, weather, fetchedAt: clock.now() });
}

/**
 * Has the weather fetched when no process of the hub has done so for ten minutes from the source and the place that
 * the settings name; answers when to look again, in ms.
 */
export async function fetchWeather(fetching: WeatherFetching, settings: Settings): Promise<number> {
  const { outside, bell, clock } = fetching;
  const source = chooseSource(settings, outside.urls);
  if (!source) return clock.now() + freshMs;
  let hasAsked = false;
  const ask = () => {
    hasAsked = true;
    return fetchSnapshot(fetching, source);
  };
  const question = { service: weatherService, key: source.key, freshMs: () => freshMs, retryMs, ask };
  const { askAgainAt } = await outside.answers.get(question);
  // Also after a failure: what is known has become stale.
  if (hasAsked) bell.ring({ kind: 'weather' });
  return askAgainAt;
}
