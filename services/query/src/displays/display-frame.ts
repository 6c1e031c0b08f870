import type { SettingsReader } from '@birdhub/domain/settings';
import { type Clock, localDay } from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import type { CacheTags } from '../response-cache/cache-entries.js';
import type { DisplayFrame } from './display-visits.store.js';

/** Dependencies of the routes for displays. */
export interface DisplayRoutesDeps {
  readonly settings: SettingsReader;
  readonly clock: Clock;
}

/** Cache tags of responses with visits of any time. */
export const allTags = { species: true, settings: true, recordings: 'all' } as const satisfies CacheTags;

/** Returns the frame of the current settings. */
export async function frameNow({ settings }: DisplayRoutesDeps): Promise<DisplayFrame> {
  const { general, video } = await settings.current();
  return { zone: general.timezone, language: general.language, cameras: video.cameras };
}

/** Returns the current day in a time zone. */
export const today = ({ clock }: DisplayRoutesDeps, zone: string): string => localDay(zone, clock.now());

/** Cache key of routes that default to the current day. */
export const keyWithDay =
  (deps: DisplayRoutesDeps) =>
  async ({ query }: FastifyRequest): Promise<string> => {
    const { zone } = await frameNow(deps);
    return `${today(deps, zone)} ${JSON.stringify(Object.entries(query as object).sort())}`;
  };
