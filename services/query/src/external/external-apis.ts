import { type Static, Type } from 'typebox';
import { ExternalApiCache, type ExternalApiCacheDeps } from './external-api-cache.js';
import {
  createExternalService,
  type ExternalService,
  type FetchLimits,
  userAgent,
} from './external-service.js';

/** The names of external services. */
export type ExternalServiceName =
  | 'open-meteo'
  | 'openweather'
  | 'homeassistant'
  | 'ebird'
  | 'ebird-taxonomy'
  | 'xeno-canto'
  | 'wikipedia';

/** The external services, their addresses, and the cache of their results. */
export interface ExternalApis {
  readonly urls: ExternalUrls;
  readonly services: Readonly<Record<ExternalServiceName, ExternalService>>;
  readonly cache: ExternalApiCache;
}

/** Creates clients of the external services with a cache in the database. */
export function createExternalApis(deps: ExternalApiCacheDeps & { urls: ExternalUrls }): ExternalApis {
  const { urls, log } = deps;
  const service = (name: ExternalServiceName, limits?: FetchLimits) =>
    createExternalService(name, { userAgent, log, ...(limits && { limits }) });
  return {
    urls,
    services: {
      'open-meteo': service('open-meteo'),
      openweather: service('openweather'),
      homeassistant: service('homeassistant'),
      ebird: service('ebird'),
      // All species of the world, several megabytes in one response.
      'ebird-taxonomy': service('ebird-taxonomy', { timeoutMs: 90_000, maxBytes: 32 * 1024 * 1024 }),
      'xeno-canto': service('xeno-canto'),
      wikipedia: service('wikipedia'),
    },
    cache: new ExternalApiCache(deps),
  };
}

const address = (target: string, value: string) =>
  Type.String({
    default: value,
    pattern: '^https?://[^\\s/]',
    description: `URL of ${target}, including the version`,
  });

/** Configuration of the addresses of external services. */
export const externalConfig = {
  openMeteoUrl: address('the Open-Meteo API', 'https://api.open-meteo.com/v1'),
  openweatherApiUrl: address('the OpenWeather API', 'https://api.openweathermap.org/data/2.5'),
  ebirdApiUrl: address('the eBird API', 'https://api.ebird.org/v2'),
  xenoCantoApiUrl: address('the xeno-canto API', 'https://xeno-canto.org/api/3'),
  wikipediaApiUrl: address(
    'the REST API of the English Wikipedia, whose `en` is replaced for other languages',
    'https://en.wikipedia.org/api/rest_v1',
  ),
};

const ExternalUrlsSchema = Type.Object(externalConfig);

/** Addresses of the external services, including the version path. */
export type ExternalUrls = Static<typeof ExternalUrlsSchema>;
