import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { createLoop } from '@birdhub/shared/async';
import type { ChangeNotifier, PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import type { ExternalApis } from '../external/external-apis.js';
import { ExternalServiceError } from '../external/external-service.js';
import { addSnapshot, weatherService } from './weather.store.js';
import { chooseSource, type WeatherSource, weatherDrivers } from './weather-source.js';

/** Fetches the weather in the background, and immediately after changes of source or place. */
export interface WeatherWatch {
  start(): void;
  /** Resolves when the current fetch is done. */
  stop(): Promise<void>;
}

/** Dependencies of the weather watch. */
export interface WeatherWatchDeps extends FetchWeatherDeps {
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly log: Logger;
}

/** The settings that the source of the weather depends on. */
const sourceGroups = ['weather', 'homeassistant', 'ebird', 'secrets'] as const;
const minDelayMs = 1_000;
const retryMs = 60_000;

/** Creates the watch. Any number of processes may run it; they share fetched results. */
export function createWeatherWatch(deps: WeatherWatchDeps): WeatherWatch {
  const { settings, clock, log } = deps;
  const loop = createLoop({
    everyMs: minDelayMs,
    retryMs,
    async work() {
      const fetchAgainAt = await fetchWeather(deps, await settings.current());
      return Math.max(minDelayMs, fetchAgainAt - clock.now());
    },
    onError: (error) => log.warn({ err: error }, 'weather not updated, retrying'),
  });
  let stopWatching = () => {};

  return {
    start() {
      stopWatching = settings.watch(() => loop.wake(), sourceGroups);
    },
    async stop() {
      stopWatching();
      await loop.stop();
    },
  };
}

/** Dependencies for fetching the weather. */
export interface FetchWeatherDeps {
  readonly prisma: PrismaClient;
  readonly externalApis: ExternalApis;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
  readonly clock: Clock;
}

const minute = 60_000;
const freshMs = 10 * minute;
const failedRetryMs = 2 * minute;

async function fetchSnapshot(deps: FetchWeatherDeps, { name, request }: WeatherSource): Promise<number> {
  const { prisma, externalApis, clock } = deps;
  const weather = weatherDrivers[name].read(await externalApis.services[name].getJson(request));
  if (!weather) throw new ExternalServiceError(`${name} returned no weather`);
  return addSnapshot(prisma, { source: name, weather, fetchedAt: clock.now() });
}

/**
 * Fetches the weather unless a process of the hub has done so within ten minutes for the current source and place;
 * returns when to check again, in ms.
 */
export async function fetchWeather(deps: FetchWeatherDeps, settings: Settings): Promise<number> {
  const { externalApis, notifier, clock } = deps;
  const source = chooseSource(settings, externalApis.urls);
  if (!source) return clock.now() + freshMs;
  let hasFetched = false;
  const { fetchAgainAt } = await externalApis.cache.get({
    service: weatherService,
    key: source.key,
    freshMs: () => freshMs,
    retryMs: failedRetryMs,
    fetch() {
      hasFetched = true;
      return fetchSnapshot(deps, source);
    },
  });
  // Also after a failure, which makes the last weather stale.
  if (hasFetched) notifier.notify({ kind: 'weather' });
  return fetchAgainAt;
}
