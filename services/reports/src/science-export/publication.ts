import type { Settings } from '@birdhub/domain/settings';
import { HubError } from '@birdhub/shared/errors';

/** Licences of published data, by their SPDX names, with their addresses. */
export const licences = {
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/legalcode',
  'CC-BY-4.0': 'https://creativecommons.org/licenses/by/4.0/legalcode',
  'CC-BY-NC-4.0': 'https://creativecommons.org/licenses/by-nc/4.0/legalcode',
} as const;

/** One of {@link licences}. */
export type Licence = keyof typeof licences;

/** The project, place and people of an export. */
export interface Publication {
  readonly title: string;
  readonly description: string;
  readonly contactName: string;
  readonly contactEmail: string;
  readonly organization: string;
  readonly rightsHolder: string;
  readonly dataLicence: Licence;
  readonly mediaLicence: Licence;
  readonly habitat: string;
  readonly isBaited: boolean;
  readonly countryCode: string;
  readonly locationName: string;
  /** Degrees, rounded. */
  readonly latitude: number;
  readonly longitude: number;
  /** Degrees. */
  readonly precision: number;
  /** Radius in metres around the rounded place that contains the cameras. */
  readonly uncertainty: number;
  /** Names of cameras by their ids. */
  readonly cameraNames: ReadonlyMap<string, string>;
}

/** Reads the publication from the settings. @throws HubError location_missing, as both standards require coordinates */
export function readPublication(settings: Settings): Publication {
  const { science, general, ebird, video } = settings;
  const place = findPlace(settings);
  if (!place) throw new HubError('location_missing');
  return {
    title: science.title || `Birds at ${ebird.location_name || general.app_name}`,
    description:
      science.description || `Visits of birds at a feeder, found in recordings by ${general.app_name}.`,
    contactName: science.contact_name || general.app_name,
    contactEmail: science.contact_email,
    organization: science.organization,
    rightsHolder: rightsHolderOf(settings),
    dataLicence: science.data_licence,
    mediaLicence: science.media_licence,
    habitat: science.habitat,
    isBaited: science.bait_use,
    countryCode: ebird.country.toUpperCase(),
    cameraNames: new Map(video.cameras.map(({ id, name }) => [id, name || id])),
    ...place,
  };
}

/** Returns the rights holder of data and recordings. */
export const rightsHolderOf = ({ science, general }: Settings): string =>
  science.rights_holder || science.contact_name || general.app_name;

/** A place with the published precision. */
export type PublishedPlace = Pick<
  Publication,
  'locationName' | 'latitude' | 'longitude' | 'precision' | 'uncertainty'
>;

/** Returns the rounded location of the hub; undefined when it is not set. */
export function findPlace({ science, secrets, ebird }: Settings): PublishedPlace | undefined {
  const latitude = Number(secrets.latitude);
  const longitude = Number(secrets.longitude);
  const isMissing = !secrets.latitude.trim() || !secrets.longitude.trim();
  // NaN fails the comparisons too.
  if (isMissing || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  const digits = Math.min(
    science.coordinate_digits,
    Math.max(digitsOf(secrets.latitude), digitsOf(secrets.longitude)),
  );
  const precision = Number((10 ** -digits).toFixed(digits));
  const rounded = roundTo(latitude, digits);
  return {
    locationName: ebird.location_name,
    latitude: rounded,
    longitude: roundTo(longitude, digits),
    precision,
    uncertainty: uncertaintyOf(precision, rounded),
  };
}

/** Rounds half away from zero, so that east and west are symmetric, and never to -0. */
const roundTo = (degrees: number, digits: number) =>
  Number((Math.sign(degrees) * Number(Math.abs(degrees).toFixed(digits))).toFixed(digits)) + 0;

const digitsOf = (degrees: string) => degrees.trim().split('.')[1]?.length ?? 0;

const metresPerDegree = 111_320;
/** Typical error of satellite positioning at a house. */
const positionErrorMetres = 30;

/** Returns the distance from a rounded place to the farthest one that rounds to it, in whole metres. */
function uncertaintyOf(precision: number, latitude: number): number {
  const half = (precision / 2) * metresPerDegree;
  return Math.ceil(Math.hypot(half, half * Math.cos((latitude * Math.PI) / 180)) + positionErrorMetres);
}
