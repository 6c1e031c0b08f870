import type { Settings } from '@birdhub/domain/settings';

/** Where the hub stands, in degrees, north and east positive. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

function toDegrees(text: string, most: number): number | undefined {
  const degrees = Number(text);
  return text.trim() && Math.abs(degrees) <= most ? degrees : undefined;
}

/** The place that the settings name; undefined when they name none on Earth. */
export function hubPlace({ secrets }: Pick<Settings, 'secrets'>): Place | undefined {
  const latitude = toDegrees(secrets.latitude, 90);
  const longitude = toDegrees(secrets.longitude, 180);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
