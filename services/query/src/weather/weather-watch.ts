import type { SettingsReader } from '@birdhub/shared/settings';
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

const shortestPauseMs = 1_000;
const pauseAfterErrorMs = 60_000;

/** Any number of processes may watch; what one has fetched is good for all of them. */
export function createWeatherWatch(options: WeatherWatchOptions): WeatherWatch {
  const { settings, clock, log } = options;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let isStopped = false;
  let stopWatching = () => {};

  async function look(): Promise<number> {
    try {
      return (await fetchWeather(options, await settings.current())) - clock.now();
    } catch (error) {
      log.warn({ err: error }, 'weather not looked after, trying again soon');
      return pauseAfterErrorMs;
    }
  }

  async function lookAndRest(): Promise<void> {
    clearTimeout(timer);
    if (isStopped) return;
    const pauseMs = await look();
    if (!isStopped) timer = setTimeout(lookSoon, Math.max(shortestPauseMs, pauseMs));
  }

  function lookSoon(): void {
    looking = looking.then(lookAndRest);
  }

  return {
    start() {
      stopWatching = settings.watch(lookSoon);
    },
    async stop() {
      isStopped = true;
      stopWatching();
      clearTimeout(timer);
      await looking;
    },
  };
}
