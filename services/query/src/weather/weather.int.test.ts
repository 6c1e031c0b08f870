import { createLog } from '@birdhub/shared/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHubOutside } from '../outside/hub-outside.js';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { type StubService, startStubService } from '../testing/stub-service.js';
import { WeatherNowSchema } from './weather.schema.js';
import { createWeatherWatch, type WeatherWatch } from './weather-watch.js';

const minute = 60_000;
const secret = 'k3y-of-somebody';
const prague = { latitude: '50.1', longitude: '14.4' };
const current = {
  temperature_2m: 12.5,
  relative_humidity_2m: 61,
  pressure_msl: 1014.2,
  cloud_cover: 40,
  wind_speed_10m: 3.4,
  weather_code: 3,
};

describe('GET /weather', () => {
  let stub: StubService;
  let query: TestQuery;
  let watches: WeatherWatch[];
  let lines: string[];
  beforeEach(async () => {
    stub = await startStubService();
    lines = [];
    const log = createLog('query', 'debug', { write: (line: string) => void lines.push(line) });
    query = await createTestQuery({
      outsideUrls: { openMeteoUrl: stub.url, openweatherApiUrl: stub.url },
      log,
    });
    watches = [];
    stub.answer({ current });
  });
  afterEach(async () => {
    await Promise.all(watches.map((watch) => watch.stop()));
    await query.close();
    await stub.close();
    expect(lines.join('')).not.toContain(secret);
  });

  /** A process of the hub that looks after the weather. */
  function watch(): void {
    const { settings, outside, bell, clock } = query;
    const { pool } = query.database;
    const log = createLog('query', 'debug', { write: (line: string) => void lines.push(line) });
    // Another process has circuits and joined requests of its own.
    const own = watches.length ? createHubOutside({ urls: outside.urls, pool, clock, log }) : outside;
    const next = createWeatherWatch({ pool, settings, outside: own, bell, clock, log });
    watches.push(next);
    next.start();
  }
  const get = async () => (await query.get('/api/ui/weather')).body;
  const until = async (expected: object) =>
    vi.waitFor(async () => expect(await get()).toMatchObject(expected), { timeout: 8_000, interval: 25 });
  /** Lets so much time pass that all look again. */
  async function pass(ms: number): Promise<void> {
    query.clock.advance(ms);
    await Promise.all(watches.splice(0).map((each) => each.stop()));
    watch();
  }

  it('no place in the settings, is empty and nobody is asked', async () => {
    watch();
    await query.setSettings({ general: {} });
    expect(await get()).toEqual({});
    expect(stub.requests).toEqual([]);
  });

  it('a place, is the weather there as soon as the settings name it', async () => {
    watch();
    await query.setSettings({ secrets: prague });
    await until({ temp: 12.5 });
    const body = await get();
    expectShape(WeatherNowSchema, body);
    expect(body).toEqual({
      main: 'Clouds',
      description: 'overcast',
      temp: 12.5,
      humidity: 61,
      pressure: 1014.2,
      clouds: 40,
      wind_speed: 3.4,
      source: 'open-meteo',
      fetched_at: new Date(query.clock.now()).toISOString(),
      stale: false,
    });
    expect(stub.requests[0]?.url).toMatch(/^\/forecast\?latitude=50.1&longitude=14.4&/);
  });

  it('two processes, fetch once in ten minutes', async () => {
    await query.setSettings({ secrets: prague });
    watch();
    watch();
    await until({ temp: 12.5 });
    stub.answer({ current: { ...current, temperature_2m: 13 } });
    await pass(10 * minute - 1);
    watch();
    await Promise.all(watches.splice(0).map((each) => each.stop()));
    expect(stub.requests).toHaveLength(1);
    await pass(1);
    watch();
    await until({ temp: 13 });
    await Promise.all(watches.splice(0).map((each) => each.stop()));
    expect(stub.requests).toHaveLength(2);
    const { rows } = await query.database.pool.query('SELECT temp FROM weather_snapshot ORDER BY fetched_at');
    expect(rows).toEqual([{ temp: 12.5 }, { temp: 13 }]);
  });

  it('asked again with nothing new, takes no statement', async () => {
    await query.setSettings({ secrets: prague });
    watch();
    await until({ temp: 12.5 });
    await query.bell.settled();
    await get();
    expect(await query.countStatements('/api/ui/weather')).toBe(0);
  });

  it.each([
    ['500', () => stub.answer({}, 500)],
    ['429', () => stub.answer({}, 429)],
    ['no JSON', () => stub.answerBy((_request, response) => response.end('<html>'))],
    ['another JSON', () => stub.answer({ current: [] })],
    ['nothing', () => stub.answerBy((request) => request.socket.destroy())],
  ])('the source answers %s, is the last weather and stale, until it answers again', async (_, breakDown) => {
    await query.setSettings({ secrets: prague });
    watch();
    await until({ stale: false });
    breakDown();
    await pass(10 * minute);
    await until({ temp: 12.5, stale: true });
    stub.answer({ current: { ...current, temperature_2m: 14 } });
    await pass(2 * minute);
    await until({ temp: 14, stale: false });
  });

  it('nobody fetches for half an hour, is stale', async () => {
    await query.setSettings({ secrets: prague });
    watch();
    await until({ stale: false });
    await Promise.all(watches.splice(0).map((each) => each.stop()));
    query.clock.advance(30 * minute);
    await query.ring({ kind: 'weather' });
    expect(await get()).toMatchObject({ stale: false });
    query.clock.advance(1);
    await query.ring({ kind: 'weather' });
    expect(await get()).toMatchObject({ temp: 12.5, stale: true });
  });

  it('the source has never answered, is empty', async () => {
    stub.answer({}, 503);
    await query.setSettings({ secrets: prague });
    watch();
    await vi.waitFor(() => expect(stub.requests).toHaveLength(1));
    expect(await get()).toEqual({});
  });

  it('another place and back, is at once the weather of each', async () => {
    stub.answerBy((request, response) => {
      const isPrague = request.url?.includes('latitude=50.1');
      response.end(JSON.stringify({ current: { ...current, temperature_2m: isPrague ? 10 : 20 } }));
    });
    watch();
    await query.setSettings({ secrets: prague });
    await until({ temp: 10 });
    await query.setSettings({ secrets: { ...prague, latitude: '40' } });
    await until({ temp: 20, stale: false });
    await query.setSettings({ secrets: prague });
    await until({ temp: 10, stale: false });
  });

  it('another place that is not answered for, is the last weather and stale', async () => {
    watch();
    await query.setSettings({ secrets: prague });
    await until({ temp: 12.5, stale: false });
    stub.answer({}, 500);
    await query.setSettings({ secrets: { ...prague, latitude: '40' } });
    await until({ temp: 12.5, stale: true });
  });

  it('the source is switched off, is empty', async () => {
    watch();
    await query.setSettings({ secrets: prague });
    await until({ temp: 12.5 });
    await query.setSettings({ secrets: prague, weather: { source: 'none' } });
    expect(await get()).toEqual({});
  });

  it('OpenWeather refuses the key, is empty, and no log tells the key', async () => {
    stub.answer({ cod: 401, message: secret }, 401);
    await query.setSettings({
      weather: { source: 'openweather' },
      secrets: { ...prague, openweather_api_key: secret },
    });
    watch();
    await vi.waitFor(() => expect(lines.join('')).toContain('answered 401'));
    expect(stub.requests[0]?.url).toContain(`appid=${secret}`);
    expect(await get()).toEqual({});
  });

  it('Home Assistant, is its entity with the units converted', async () => {
    const attributes = { temperature: 50, temperature_unit: '°F', wind_speed: 18, wind_speed_unit: 'km/h' };
    stub.answer({ state: 'rainy', attributes });
    await query.setSettings({
      weather: { source: 'homeassistant', ha_entity_id: 'weather.garden' },
      homeassistant: { url: stub.url, token: secret },
    });
    watch();
    await until({ source: 'homeassistant', main: 'Rain', temp: 10, wind_speed: 5, clouds: null });
    expect(stub.requests[0]).toMatchObject({
      url: '/api/states/weather.garden',
      headers: { authorization: `Bearer ${secret}` },
    });
    expectShape(WeatherNowSchema, await get());
  });
});
