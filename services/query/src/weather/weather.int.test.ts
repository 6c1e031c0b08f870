import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, storeSettings } from '@birdhub/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startQuery } from '../start.js';
import { createTestWeather, type TestWeather } from '../testing/create-test-weather.js';
import { expectShape } from '../testing/expect-shape.js';
import { startStubService } from '../testing/stub-service.js';
import { WeatherNowSchema } from './weather.schema.js';

const minute = 60_000;
const secret = 'k3y-of-the-hub';
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
  let hub: TestWeather;
  beforeEach(async () => {
    hub = await createTestWeather();
    hub.stub.respondJson({ current });
  });
  afterEach(async () => {
    await hub.close();
    expect(hub.logText()).not.toContain(secret);
  });

  it('without a place in the settings, is empty and sends no request', async () => {
    await hub.fetchOnce();
    expect(await hub.get()).toEqual({});
    expect(hub.stub.requests).toEqual([]);
  });

  it('with a place, is its weather as soon as the settings name it', async () => {
    hub.startWatch();
    await hub.query.setSettings({ secrets: prague });
    await hub.waitForWeather({ temp: 12.5 });
    const body = await hub.get();
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
      fetched_at: new Date(hub.query.clock.now()).toISOString(),
      stale: false,
    });
    expect(hub.stub.requests[0]?.url).toMatch(/^\/forecast\?latitude=50.1&longitude=14.4&/);
  });

  it('with two processes, is fetched once in ten minutes', async () => {
    await hub.query.setSettings({ secrets: prague });
    await Promise.all([hub.fetchOnce(), hub.fetchOnce()]);
    hub.stub.respondJson({ current: { ...current, temperature_2m: 13 } });
    hub.query.clock.advance(10 * minute - 1);
    await Promise.all([hub.fetchOnce(), hub.fetchOnce()]);
    expect(hub.stub.requests).toHaveLength(1);
    hub.query.clock.advance(1);
    await Promise.all([hub.fetchOnce(), hub.fetchOnce()]);
    expect(hub.stub.requests).toHaveLength(2);
    const { rows } = await hub.query.database.pool.query(
      'SELECT temp FROM weather_snapshot ORDER BY fetched_at',
    );
    expect(rows).toEqual([{ temp: 12.5 }, { temp: 13 }]);
  });

  it('read again without a change, takes no statement', async () => {
    await hub.query.setSettings({ secrets: prague });
    await hub.fetchOnce();
    await hub.waitForWeather({ temp: 12.5 });
    await hub.query.notifier.settled();
    await hub.get();
    expect(await hub.query.countStatements('/api/ui/weather')).toBe(0);
  });

  it.each([
    ['500', () => hub.stub.respondJson({}, 500)],
    ['429', () => hub.stub.respondJson({}, 429)],
    ['no JSON', () => hub.stub.respond(() => ({ status: 200, body: '<html>' }))],
    ['another JSON', () => hub.stub.respondJson({ current: [] })],
    ['nothing', () => hub.stub.respond((_request, response) => void response.destroy())],
  ])(
    'when the source returns %s, is the last weather and stale until the source recovers',
    async (_, breakDown) => {
      await hub.query.setSettings({ secrets: prague });
      await hub.fetchOnce();
      await hub.waitForWeather({ stale: false });
      breakDown();
      hub.query.clock.advance(10 * minute);
      await hub.fetchOnce();
      await hub.waitForWeather({ temp: 12.5, stale: true });
      hub.stub.respondJson({ current: { ...current, temperature_2m: 14 } });
      hub.query.clock.advance(2 * minute);
      await hub.fetchOnce();
      await hub.waitForWeather({ temp: 14, stale: false });
    },
  );

  it('without a fetch for half an hour, is stale', async () => {
    await hub.query.setSettings({ secrets: prague });
    await hub.fetchOnce();
    hub.query.clock.advance(30 * minute);
    await hub.query.notify({ kind: 'weather' });
    expect(await hub.get()).toMatchObject({ stale: false });
    hub.query.clock.advance(1);
    await hub.query.notify({ kind: 'weather' });
    expect(await hub.get()).toMatchObject({ temp: 12.5, stale: true });
  });

  it('without a successful request, is empty', async () => {
    hub.stub.respondJson({}, 503);
    await hub.query.setSettings({ secrets: prague });
    await hub.fetchOnce();
    expect(hub.stub.requests).toHaveLength(1);
    expect(await hub.get()).toEqual({});
  });

  it('after a change of place and back, is that of each at once', async () => {
    hub.stub.respond((request, response) => {
      const isPrague = request.url.includes('latitude=50.1');
      response.end(JSON.stringify({ current: { ...current, temperature_2m: isPrague ? 10 : 20 } }));
    });
    hub.startWatch();
    await hub.query.setSettings({ secrets: prague });
    await hub.waitForWeather({ temp: 10 });
    await hub.query.setSettings({ secrets: { ...prague, latitude: '40' } });
    await hub.waitForWeather({ temp: 20, stale: false });
    await hub.query.setSettings({ secrets: prague });
    await hub.waitForWeather({ temp: 10, stale: false });
  });

  it('after a change of place and a failed request, is the last weather and stale', async () => {
    hub.startWatch();
    await hub.query.setSettings({ secrets: prague });
    await hub.waitForWeather({ temp: 12.5, stale: false });
    hub.stub.respondJson({}, 500);
    await hub.query.setSettings({ secrets: { ...prague, latitude: '40' } });
    await hub.waitForWeather({ temp: 12.5, stale: true });
  });

  it('when the source is switched off, is empty', async () => {
    hub.startWatch();
    await hub.query.setSettings({ secrets: prague });
    await hub.waitForWeather({ temp: 12.5 });
    await hub.query.setSettings({ secrets: prague, weather: { source: 'none' } });
    expect(await hub.get()).toEqual({});
  });

  it('when OpenWeather refuses the key, is empty, and no log contains the key', async () => {
    hub.stub.respondJson({ cod: 401, message: secret }, 401);
    await hub.query.setSettings({
      weather: { source: 'openweather' },
      secrets: { ...prague, openweather_api_key: secret },
    });
    await hub.fetchOnce();
    expect(hub.logText()).toContain('status 401');
    expect(hub.stub.requests[0]?.url).toContain(`appid=${secret}`);
    expect(await hub.get()).toEqual({});
  });

  it('from Home Assistant, is its entity with the units converted', async () => {
    const attributes = { temperature: 50, temperature_unit: '°F', wind_speed: 18, wind_speed_unit: 'km/h' };
    hub.stub.respondJson({ state: 'rainy', attributes });
    await hub.query.setSettings({
      weather: { source: 'homeassistant', ha_entity_id: 'weather.garden' },
      homeassistant: { url: hub.stub.url, token: secret },
    });
    await hub.fetchOnce();
    await hub.waitForWeather({
      source: 'homeassistant',
      main: 'Rain',
      temp: 10,
      wind_speed: 5,
      clouds: null,
    });
    expect(hub.stub.requests[0]).toMatchObject({
      url: '/api/states/weather.garden',
      headers: { authorization: `Bearer ${secret}` },
    });
    expectShape(WeatherNowSchema, await hub.get());
  });
});

it('two query services, started at once with a place, fetch the weather once and both return it', async () => {
  const stub = await startStubService();
  stub.respondJson({ current: { temperature_2m: 12.5 } });
  const database = await createTestDatabase();
  await storeSettings(database.pool, { secrets: { latitude: '50.1', longitude: '14.4' } });
  const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-data-'));
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    OPEN_METEO_URL: `${stub.url}/v1`,
  };
  const services = await Promise.all([startQuery(env), startQuery(env)]);
  try {
    for (const { url } of services) {
      const show = async () => (await fetch(`${url}/api/ui/weather`)).json();
      await vi.waitFor(async () => expect(await show()).toMatchObject({ temp: 12.5, stale: false }), 8_000);
    }
    expect(stub.requests.map((request) => request.url.split('?')[0])).toEqual(['/v1/forecast']);
    expect(stub.requests[0]?.headers['user-agent']).toMatch(/^Birdhub\/\d+\.\d+\.\d+ /);
  } finally {
    await Promise.all(services.map((service) => service.close()));
    await database.drop();
    await stub.stop();
    await rm(dataDir, { recursive: true });
  }
});
