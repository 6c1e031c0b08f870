import { createLog } from '@birdhub/shared/log';
import { expect, vi } from 'vitest';
import { createHubOutside } from '../outside/hub-outside.js';
import { createWeatherWatch, type WeatherWatch } from '../weather/weather-watch.js';
import { type Answer, createTestQuery, type TestQuery } from './create-test-query.js';
import { type StubService, startStubService } from './stub-service.js';

/** A hub whose weather comes from a stub. */
export interface WatchedWeather {
  readonly stub: StubService;
  readonly query: TestQuery;
  /** All that was logged. */
  logged(): string;
  /** Adds a process of the hub that looks after the weather. */
  watch(): void;
  /** Ends all of these processes. */
  unwatch(): Promise<void>;
  /** Lets so much time pass, after which one process looks. */
  pass(ms: number): Promise<void>;
  get(): Promise<Answer['body']>;
  /** Resolves when the weather is shown to be this. */
  until(expected: object): Promise<void>;
  close(): Promise<void>;
}

export async function createWatchedWeather(): Promise<WatchedWeather> {
  const lines: string[] = [];
  const log = createLog('query', 'debug', { write: (line: string) => void lines.push(line) });
  const stub = await startStubService();
  const outsideUrls = { openMeteoUrl: stub.url, openweatherApiUrl: stub.url };
  const query = await createTestQuery({ outsideUrls, log });
  let watches: WeatherWatch[] = [];

  function watch(): void {
    const { settings, bell, clock, outside } = query;
    const { pool } = query.database;
    const own = createHubOutside({ urls: outside.urls, pool, clock, log });
    const next = createWeatherWatch({ pool, settings, outside: own, bell, clock, log });
    watches.push(next);
    next.start();
  }

  async function unwatch(): Promise<void> {
    await Promise.all(watches.map((each) => each.stop()));
    watches = [];
  }

  const get = async () => (await query.get('/api/ui/weather')).body;

  return {
    stub,
    query,
    logged: () => lines.join(''),
    watch,
    unwatch,
    async pass(ms) {
      query.clock.advance(ms);
      await unwatch();
      watch();
    },
    get,
    until: (expected) =>
      vi.waitFor(async () => expect(await get()).toMatchObject(expected), { timeout: 8_000, interval: 25 }),
    async close() {
      await unwatch();
      await query.close();
      await stub.close();
    },
  };
}
