import type { Settings } from '@birdhub/domain/settings';
import type { OutsideRequest } from '../outside/fetch-json.js';
import { fingerprint } from '../outside/fingerprint.js';
import type { OutsideUrls } from '../outside/outside-config.js';
import { homeAssistant } from './home-assistant.js';
import { openMeteo } from './open-meteo.js';
import { openWeather } from './open-weather.js';

/** The sources that the settings may name. */
export type SourceName = Exclude<Settings['weather']['source'], 'none'>;

/** The weather now, in °C, %, hPa and m/s; null what the source does not say. */
export interface Weather {
  readonly main: string | null;
  readonly description: string | null;
  readonly temp: number;
  readonly humidity: number | null;
  readonly pressure: number | null;
  readonly clouds: number | null;
  readonly windSpeed: number | null;
}

/** How one kind of source is asked and understood. */
export interface WeatherDriver {
  /** Undefined when the settings lack what it takes. */
  request(settings: Settings, urls: OutsideUrls): OutsideRequest | undefined;
  /** Undefined when there is no temperature in the answer. */
  read(answer: unknown): Weather | undefined;
}

/** What is asked under given settings. */
export interface WeatherSource {
  readonly name: SourceName;
  /** Differs when anything differs that the weather depends on. */
  readonly key: string;
  readonly request: OutsideRequest;
}

/** All kinds of sources. */
export const weatherDrivers: Readonly<Record<SourceName, WeatherDriver>> = {
  'open-meteo': openMeteo,
  openweather: openWeather,
  homeassistant: homeAssistant,
};

/** The source that the settings choose; undefined when there is none or they lack what it takes. */
export function chooseSource(settings: Settings, urls: OutsideUrls): WeatherSource | undefined {
  const name = settings.weather.source;
  if (name === 'none') return undefined;
  const request = weatherDrivers[name].request(settings, urls);
  if (!request) return undefined;
  return { name, request, key: fingerprint(name, request.url.href, request.headers?.['authorization']) };
}
