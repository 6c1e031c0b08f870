import { type CropKey, chooseFrame, ToolTimeoutError } from '@birdhub/domain/media';
import { toFileName } from '@birdhub/shared/files';
import { localDay, localStamp, localTime } from '@birdhub/shared/time';
import type pg from 'pg';
import { mapAhead } from '../archive/map-ahead.js';
import type { ArchiveFile } from '../archive/write-zip.js';
import { line } from '../csv.js';
import { Spool } from '../dataset-export/spool.js';
import type { Crops } from '../detection-crop/crops.js';
import { type PictureFacts, type PicturePlace, tagPicture } from './picture-metadata.js';
import { type DaySpecies, type PortalSearch, readDays } from './portal.store.js';
import { licences, type Publication, type PublishedPlace } from './publication.js';

/** Observation portals that import a table of observations and pictures with metadata. */
export const portals = ['inaturalist', 'observation-org'] as const;

/** One of {@link portals}. */
export type Portal = (typeof portals)[number];

/** Dependencies for writing the archive for a portal. */
export interface PortalDeps {
  readonly readPool: pg.Pool;
  readonly crops: Crops;
}

/** A requested archive for a portal. */
export interface PortalRequest {
  readonly search: PortalSearch;
  readonly publication: Publication;
  readonly zone: string;
  /** In ms since the epoch. */
  readonly createdAt: number;
  readonly signal: AbortSignal;
}

const picturesAhead = 2;
const tableName = 'observations.csv';

/**
 * Yields the files for a portal: a picture for each species and day, and last the table for its importer; none when
 * there is nothing to report. The one for iNaturalist only includes observations with a picture, that for
 * observation.org also audio observations.
 */
export async function* writeForPortal(
  { readPool, crops }: PortalDeps,
  request: PortalRequest,
  portal: Portal,
): AsyncGenerator<ArchiveFile> {
  const { search, publication, zone, createdAt, signal } = request;
  const spool = await Spool.create();
  try {
    const { columns, row } = tables[portal];
    await spool.append(tableName, line(columns));
    let rows = 0;
    const read = async (species: DaySpecies) => ({
      species,
      picture: species.hasPicture ? await readPicture(crops, species, signal) : undefined,
    });
    for await (const { species, picture } of mapAhead(
      readDays(readPool, search, signal),
      picturesAhead,
      read,
    )) {
      if (!picture && portal === 'inaturalist') continue;
      const facts = factsOf(species, publication, zone);
      const file = picture && pictureName(species, zone);
      if (picture)
        yield { name: `pictures/${file}`, content: tagPicture(picture, facts), date: species.start };
      await spool.append(tableName, line(row({ species, facts, file, publication, zone }).map(neutral)));
      rows += 1;
    }
    if (rows > 0) yield { name: tableName, content: () => spool.read(tableName), date: new Date(createdAt) };
  } finally {
    await spool.remove();
  }
}

/** Reads the crop of a detection; undefined when it cannot be decoded in time or its file is missing. */
async function readPicture(
  crops: Crops,
  { detectionId, videoId, videoPath, ...seen }: DaySpecies,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const { seconds, box } = chooseFrame(seen);
  const crop: CropKey = { videoId, detectionId, seconds, box };
  try {
    return (await crops.read(videoPath, [crop], signal))?.[0];
  } catch (error) {
    if (error instanceof ToolTimeoutError) return undefined;
    throw error;
  }
}

/** Returns a file name such as `Parus major_2026-05-01_101530_123.jpg`, in the hub's zone. */
const pictureName = ({ taxon, start, detectionId }: DaySpecies, zone: string) =>
  `${toFileName(taxon)}_${localStamp(zone, start.getTime())}_${detectionId}.jpg`;

function factsOf(species: DaySpecies, publication: Publication, zone: string): PictureFacts {
  return {
    takenAt: species.start.getTime(),
    zone,
    scientificName: species.taxon,
    commonName: species.name,
    description: describe(species),
    place: placeOf(publication),
    rightsHolder: publication.rightsHolder,
    licence: licences[publication.mediaLicence],
  };
}

/** Returns the published location of pictures. */
export const placeOf = ({
  latitude,
  longitude,
  uncertainty,
  locationName,
}: PublishedPlace): PicturePlace => ({
  latitude,
  longitude,
  uncertainty,
  name: locationName,
});

function describe({ isHeard, birds, visits, ...identified }: DaySpecies): string {
  const by = isHeard ? 'Heard by a microphone' : 'Recorded by a camera';
  const counts = `${birds} at most at once, ${visits} ${visits === 1 ? 'visit' : 'visits'} that day`;
  return `${by} at a feeder; ${counts}. ${describeIdentification(identified)}`;
}

/** Describes how a bird was identified, and the confidence. */
export function describeIdentification({
  reviewed,
  classifiedBy,
  confidence,
}: Pick<DaySpecies, 'reviewed' | 'classifiedBy' | 'confidence'>): string {
  if (reviewed) return 'Identified by a person from the recording.';
  return `Identified by ${classifiedBy ?? 'a program'} with ${Math.round(confidence * 100)}% certainty.`;
}

interface RowParts {
  readonly species: DaySpecies;
  readonly facts: PictureFacts;
  /** The name of its picture. */
  readonly file: string | undefined;
  readonly publication: Publication;
  readonly zone: string;
}

type Cell = string | number | undefined;

/** Neutralises a text against formula injection. */
const neutral = (value: Cell): Cell =>
  typeof value === 'string' && /^[=+@\p{Cc}-]/u.test(value) ? `'${value}` : value;

/** Returns the local date and time of the best detection, which may be on the day after the start of its visit. */
const startOf = ({ species, zone }: RowParts): readonly [date: string, time: string] => {
  const start = species.start.getTime();
  return [localDay(zone, start), localTime(zone, start)];
};

/** The table formats of the importers. */
const tables: Record<
  Portal,
  { readonly columns: readonly string[]; readonly row: (parts: RowParts) => readonly Cell[] }
> = {
  inaturalist: {
    // Columns are read by position.
    columns: [
      'Taxon name',
      'Date observed',
      'Description',
      'Place name',
      'Latitude',
      'Longitude',
      'Tags',
      'Geoprivacy',
    ],
    row: (parts) => {
      const { species, facts, file, publication } = parts;
      const { latitude, longitude, locationName } = publication;
      return [
        species.taxon,
        startOf(parts).join(' '),
        `${facts.description}${file ? ` Picture: ${file}` : ''}`,
        locationName || `${latitude}, ${longitude}`,
        latitude,
        longitude,
        'feeder,camera trap',
        'open',
      ];
    },
  },
  'observation-org': {
    columns: [
      'scientific name',
      'species name',
      'date',
      'time',
      'number',
      'sex',
      'life stage',
      'activity',
      'method',
      'lat',
      'lng',
      'accuracy',
      'location',
      'notes',
      'picture',
      'external id',
    ],
    row: (parts) => {
      const { species, facts, file, publication } = parts;
      return [
        species.taxon,
        species.name,
        ...startOf(parts),
        species.birds,
        species.sex ?? undefined,
        species.lifeStage ?? undefined,
        species.isHeard ? 'calling' : 'present',
        species.isHeard ? 'sound recording' : 'camera trap',
        publication.latitude,
        publication.longitude,
        publication.uncertainty,
        publication.locationName || undefined,
        facts.description,
        file,
        `birdhub:${species.detectionId}`,
      ];
    },
  },
};
