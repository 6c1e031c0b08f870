import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { preferredLanguage } from '../../i18n/languages';
import { statusQuery } from '../../lib/hub-facts';
import { demoQuery } from '../demo/demo-queries';
import { useDemoOnly } from '../demo/use-demo';
import { unlockWith, useHasRole } from '../session/access';
import { settingsQuery } from '../settings/settings-queries';
import { sunTimesQuery } from '../today/today-queries';

/** Location of the hub. */
export interface ChosenPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** IANA zone. */
  readonly zone: string;
  /** ISO 3166-1 code of two letters, if known. */
  readonly country?: string;
}

/** Of `ebird.country` in the settings. */
const defaultCountry = 'US';

const degrees = (value: number) => String(Math.round(value * 100) / 100);

/**
 * Sets location and zone of the hub; with its first own location, also its language to that of this browser.
 * Coordinates are rounded to two decimals, about a kilometre, which is precise enough for sun and weather. The country
 * becomes that of eBird unless somebody has chosen another.
 */
export function useSetPlace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ latitude, longitude, zone, country }: ChosenPlace) => {
      const settings = await client.fetchQuery(settingsQuery);
      const { latitude: known } = settings['secrets'] as { latitude?: string };
      // The place may be that of the demo.
      const isPlaced = known && (await client.fetchQuery(demoQuery)).has_own_place;
      const isCountryOpen = (settings['ebird'] as { country?: string }).country === defaultCountry;
      return unwrap(
        hub.PATCH('/api/ui/settings', {
          body: {
            ...(country !== undefined && isCountryOpen && { ebird: { country } }),
            general: {
              timezone: zone,
              ...(!isPlaced && { language: preferredLanguage() }),
            },
            secrets: { latitude: degrees(latitude), longitude: degrees(longitude) },
          },
        }),
      );
    },
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Sets the password of the administrator and unlocks this browser with it. */
export function useSetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (password: string) => {
      await unwrap(hub.PATCH('/api/ui/settings', { body: { general: { settings_password: password } } }));
      await unlockWith(password);
    },
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Returns which steps are done; undefined while unknown. */
export function useDone(today: string) {
  const { data: status } = useQuery(statusQuery);
  const { data: sun } = useQuery(sunTimesQuery(today));
  const isAdmin = useHasRole('admin');
  const { data: settings } = useQuery({ ...settingsQuery, enabled: isAdmin });
  const demoOnly = useDemoOnly();
  return {
    // Null where the sun does not rise on this day; without a place, it is missing.
    place: sun && sun.sunrise !== undefined && !demoOnly.place,
    birds: status && ((status.processor !== 'unknown' && !demoOnly.birds) || status.sources.length > 0),
    hasPassword: settings && (settings['general'] as { settings_password?: string }).settings_password !== '',
  };
}
