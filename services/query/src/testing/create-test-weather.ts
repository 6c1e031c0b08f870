import { createLog } from '@birdhub/shared/log';
import { expect, vi } from 'vitest';
import { createExternalApis } from '../external/external-apis.js';
import {
  createWeatherWatch,
  type FetchWeatherDeps,
  fetchWeather,
  type WeatherWatch,
} from '../weather/weather-watch.js';
import { createTestQuery, type TestQuery, type TestResponse } from './create-test-query.js';
import { type StubService, startStubService } from './stub-service.js';

/** A hub with a stub of a weather service. */
export interface TestWeather {
  readonly stub: StubService;
  readonly query: TestQuery;
  /** Returns the log as text. */
  logText(): string;
  /** Starts another weather watch. */
  startWatch(): void;
  /** Fetches the weather once, as another process would. */
  fetchOnce(): Promise<void>;
  get(): Promise<TestResponse['body']>;
  /** Resolves when the weather in responses matches. */
  waitForWeather(expected: object): Promise<void>;
  close(): Promise<void>;
}

export async function createTestWeather(): Promise<TestWeather> {
  const lines: string[] = [];
  const log = createLog('query', 'debug', { write: (line: string) => void lines.push(line) });
  const stub = await startStubService();
  const externalUrls = { openMeteoUrl: stub.url, openweatherApiUrl: stub.url };
  const query = await createTestQuery({ externalUrls, log });
  const { settings, notifier, clock } = query;
  const { pool, prisma } = query.database;
  const watches: WeatherWatch[] = [];

  function createDeps(): FetchWeatherDeps {
    const externalApis = createExternalApis({ urls: query.externalApis.urls, pool, prisma, clock, log });
    return { prisma, externalApis, notifier, clock };
  }

  const get = async () => (await query.get('/api/ui/weather')).body;

  return {
    stub,
    query,
    logText: () => lines.join(''),
    startWatch() {
      const next = createWeatherWatch({ ...createDeps(), settings, log });
      watches.push(next);
      next.start();
    },
    async fetchOnce() {
      await fetchWeather(createDeps(), await settings.current());
    },
    get,
    waitForWeather: (expected) =>
      vi.waitFor(async () => expect(await get()).toMatchObject(expected), { interval: 25 }),
    async close() {
      await Promise.all(watches.map((watch) => watch.stop()));
      await query.close();
      await stub.stop();
    },
  };
}
