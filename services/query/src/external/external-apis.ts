import {
  createOutsideAnswers,
  type OutsideAnswers,
  type OutsideAnswersDependencies,
} from './external-api-cache.js';
import type { OutsideUrls } from './external-config.js';
import { createOutsideService, type OutsideService, readUserAgent } from './external-service.js';

/** The services outside that the hub asks. */
export type OutsideServiceName =
  | 'open-meteo'
  | 'openweather'
  | 'homeassistant'
  | 'ebird'
  | 'xeno-canto'
  | 'wikipedia';

/** All that reading from outside takes. */
export interface HubOutside {
  readonly urls: OutsideUrls;
  readonly services: Readonly<Record<OutsideServiceName, OutsideService>>;
  readonly answers: OutsideAnswers;
}

/** The services outside at these addresses, with answers kept in the database. */
export function createHubOutside(options: OutsideAnswersDependencies & { urls: OutsideUrls }): HubOutside {
  const { urls, log } = options;
  const userAgent = readUserAgent();
  const service = (name: OutsideServiceName) => createOutsideService(name, { userAgent, log });
  return {
    urls,
    services: {
      'open-meteo': service('open-meteo'),
      openweather: service('openweather'),
      homeassistant: service('homeassistant'),
      ebird: service('ebird'),
      'xeno-canto': service('xeno-canto'),
      wikipedia: service('wikipedia'),
    },
    answers: createOutsideAnswers(options),
  };
}
