import type { SettingsReader } from '@birdhub/domain/settings';
import { createLoop } from '@birdhub/shared/async';
import type { Logger } from 'pino';
import { fetchWeather, type WeatherFetching } from './fetch-weather.js';

/** Fetches the weather in the background, at once when the settings name another source or place. */
export interface WeatherWatch {
  start(): void;
  /** Resolves when the fetch in hand is done. */
  stop(): Promise<void>;
}

/** What the weather is watched with. */
export interface WeatherWatchOptions extends WeatherFetching {
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly log: Logger;
}

const minDelayMs = 1_000;
const retryMs = 60_000;

/** Any number of processes may watch; what one has fetched is good for all of them. */
export function createWeatherWatch(options: WeatherWatchOptions): WeatherWatch {
  const { settings, clock, log } = options;
  const loop = createLoop({
    everyMs: minDelayMs,
    retryMs,
    async work() {
      const fetchAgainAt = await fetchWeather(options, await settings.current());
      return Math.max(minDelayMs, fetchAgainAt - clock.now());
    },
    onError: (error) => log.warn({ err: error }, 'weather not looked after, trying again soon'),
  });
  let stopWatching = () => {};

  return {
    start() {
      stopWatching = settings.watch(() => loop.wake());
    },
    async stop() {
      stopWatching();
      await loop.stop();
    },
  };
}
