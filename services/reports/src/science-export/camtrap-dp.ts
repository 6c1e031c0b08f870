import { speciesNameIn } from '@birdhub/domain/language';
import type { Columns } from '../csv.js';
import { cellSql, freeText, freeTextSql, headerOf, line, timeSql } from '../csv.js';
import { isUnnamed, lifeStageSql, sexSql } from './classification.js';
import type { Deployment } from './deployments.store.js';
import { licences, type Publication } from './publication.js';
import {
  detectionRows,
  eventRows,
  fileNameSql,
  mediaAddressSql,
  mediaTypeSql,
  recordingRows,
  type Taxon,
} from './science.store.js';

/** How an export includes media: not at all, as URLs of the hub, or as files in the archive. */
export const mediaChoices = ['none', 'links', 'files'] as const;

/** One of {@link mediaChoices}. */
export type MediaChoice = (typeof mediaChoices)[number];

const version = '1.0.2';
const standard = `https://raw.githubusercontent.com/tdwg/camtrap-dp/${version}`;

const deploymentColumns = [
  'deploymentID',
  'locationID',
  'locationName',
  'latitude',
  'longitude',
  'coordinateUncertainty',
  'deploymentStart',
  'deploymentEnd',
  'cameraID',
  'timestampIssues',
  'baitUse',
  'habitat',
  'deploymentTags',
  'deploymentComments',
] as const;

const timestamp = (instant: number) => `${new Date(Number(instant)).toISOString().slice(0, 19)}Z`;

/** `deployments.csv`: a row for each camera and period of activity. */
export const deploymentsTable = { header: line([...deploymentColumns]), rows: deploymentRows };

function deploymentRows(deployments: readonly Deployment[], publication: Publication): string {
  const rows = deployments.map(({ id, cameraId, start, end, foods, recordings }) =>
    line([
      id,
      freeText(cameraId) || undefined,
      freeText(publication.cameraNames.get(cameraId) ?? (cameraId || publication.locationName)) || undefined,
      publication.latitude,
      publication.longitude,
      publication.uncertainty,
      timestamp(start),
      timestamp(end),
      freeText(cameraId) || undefined,
      false,
      publication.isBaited || foods.length > 0,
      freeText(publication.habitat) || undefined,
      // Bars separate tags.
      foods.map((food) => `food:${food.replaceAll('|', '/')}`).join(' | ') || undefined,
      `${recordings} recordings`,
    ]),
  );
  return rows.join('');
}

/** Returns the columns of `media.csv`, with a row for each recording. */
function mediaColumns(media: MediaChoice, isPublic: boolean): Columns {
  const path = media === 'links' ? mediaAddressSql('id') : `'media/' || ${fileNameSql('id')}`;
  const isAccessible =
    media === 'none' || (media === 'links' && !isPublic)
      ? `'false'`
      : `(CASE WHEN media = 'ready' THEN 'true' ELSE 'false' END)`;
  return {
    mediaID: 'id::text',
    deploymentID: cellSql('deployment_id'),
    captureMethod: `'activityDetection'`,
    timestamp: timeSql('start_time'),
    filePath: cellSql(`(${path})`),
    filePublic: isAccessible,
    fileName: fileNameSql('id'),
    fileMediatype: mediaTypeSql,
    favorite: `CASE WHEN favorite THEN 'true' ELSE 'false' END`,
    mediaComments: `CASE WHEN note <> '' THEN ${freeTextSql('note')} END`,
  };
}

const classified = {
  classificationMethod: `CASE WHEN type = 'blank' THEN 'machine' WHEN reviewed THEN 'human' ELSE 'machine' END`,
  classifiedBy: `CASE WHEN reviewed THEN 'reviewer' ELSE ${freeTextSql(`coalesce(nullif(detection_provider, ''), nullif(processor_version, ''))`)} END`,
  classificationTimestamp: timeSql(
    'CASE WHEN reviewed AND reviewed_at IS NOT NULL THEN reviewed_at ELSE created_at END',
  ),
  // Reviews by people have no probability.
  classificationProbability: `CASE WHEN NOT reviewed THEN trim_scale(least(1, greatest(0, confidence))::numeric(5, 4))::text END`,
};

const observed = {
  observationType: `CASE WHEN doubtful THEN 'unclassified' ELSE type END`,
  scientificName: `CASE WHEN NOT doubtful THEN ${freeTextSql('taxon')} END`,
};

const tag = `CASE WHEN doubtful AND taxon IS NOT NULL THEN ${cellSql(`('proposed:' || taxon)`)} END`;
const comment = `CASE WHEN of_form OR rank = 'noise' OR (${isUnnamed('rank')} AND type = 'animal') THEN ${cellSql(`('reported as ' || name)`)} END`;

const position = (column: string) => `trim_scale(item.${column}::numeric(9, 6))::text`;

/** The columns of media-based rows of `observations.csv`, one for each detection. */
const detectionColumns: Columns = {
  observationID: `CASE WHEN detection_id IS NULL THEN 'blank:' || video_id ELSE 'detection:' || detection_id END`,
  deploymentID: cellSql('deployment_id'),
  mediaID: 'video_id::text',
  eventID: `'visit:' || visit_id`,
  eventStart: timeSql('coalesce(start_time, video_start)'),
  eventEnd: timeSql('coalesce(end_time, video_end)'),
  observationLevel: `'media'`,
  ...observed,
  count: `CASE WHEN detection_id IS NOT NULL THEN '1' END`,
  lifeStage: lifeStageSql('plumage'),
  sex: sexSql('plumage'),
  behavior: `CASE WHEN source = 'audio' THEN 'vocalizing' END`,
  bboxX: position('x1'),
  bboxY: position('y1'),
  bboxWidth: position('width'),
  bboxHeight: position('height'),
  ...classified,
  observationTags: tag,
  observationComments: comment,
};

const empty = 'NULL::text';

/** The columns of event-based rows of `observations.csv`, one for each visit and deployment. */
const eventColumns: Columns = {
  ...detectionColumns,
  observationID: cellSql(`('visit:' || visit_id || ':' || deployment_id)`),
  mediaID: empty,
  eventStart: timeSql('start_time'),
  eventEnd: timeSql('end_time'),
  observationLevel: `'event'`,
  count: 'max_simultaneous::text',
  behavior: `CASE WHEN heard_only THEN 'vocalizing' END`,
  bboxX: empty,
  bboxY: empty,
  bboxWidth: empty,
  bboxHeight: empty,
};

/** `observations.csv`: rows for visits and detections. */
export const observationsTable = {
  header: headerOf(detectionColumns),
  events: eventRows(eventColumns),
  detections: detectionRows(detectionColumns),
};

/** `media.csv`: rows for recordings. */
export function mediaTable(media: MediaChoice, isPublic: boolean) {
  const columns = mediaColumns(media, isPublic);
  return { header: headerOf(columns), rows: recordingRows(columns) };
}

/** The day of an instant in UTC, `YYYY-MM-DD`. */
export const utcDay = (instant: number): string => new Date(Number(instant)).toISOString().slice(0, 10);

/** Ranks of both standards; forms and groups of species have none. */
export const standardRanks: readonly string[] = [
  'order',
  'family',
  'genus',
  'species',
  'subspecies',
  'class',
  'kingdom',
];

/** Returns the names of a species in the catalogue by ISO 639-3 language. */
function vernacularNames(name: string) {
  const others = (
    [
      ['deu', 'de'],
      ['fra', 'fr'],
      ['spa', 'es'],
      ['ita', 'it'],
      ['nld', 'nl'],
      ['pol', 'pl'],
      ['rus', 'ru'],
    ] as const
  ).flatMap(([code, language]) => {
    const translated = speciesNameIn(language, name);
    return translated === name ? [] : [[code, translated]];
  });
  return Object.fromEntries([['eng', name], ...others]);
}

/** Returns `datapackage.json`. */
export function dataPackageJson(
  publication: Publication,
  deployments: readonly Deployment[],
  taxa: readonly Taxon[],
  createdAt: number,
): string {
  const { contactName, contactEmail, organization, rightsHolder, dataLicence, mediaLicence } = publication;
  const starts = deployments.map(({ start }) => Number(start));
  const ends = deployments.map(({ end }) => Number(end));
  const resource = (name: string) => ({
    name,
    path: `${name}.csv`,
    profile: 'tabular-data-resource',
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
    schema: `${standard}/${name}-table-schema.json`,
  });
  const licence = (name: keyof typeof licences, scope: 'data' | 'media') => ({
    name,
    path: licences[name],
    scope,
  });
  const value = {
    resources: ['deployments', 'media', 'observations'].map(resource),
    profile: `${standard}/camtrap-dp-profile.json`,
    title: publication.title,
    description: publication.description,
    created: timestamp(createdAt),
    version: '1.0',
    keywords: ['birds', 'camera traps', 'feeder'],
    contributors: [
      {
        title: contactName,
        ...(contactEmail && { email: contactEmail }),
        role: 'contact',
        ...(organization && { organization }),
      },
      { title: rightsHolder, role: 'rightsHolder' },
    ],
    licenses: [licence(dataLicence, 'data'), licence(mediaLicence, 'media')],
    project: {
      title: publication.title,
      description: publication.description,
      samplingDesign: 'opportunistic',
      captureMethod: ['activityDetection'],
      individualAnimals: false,
      observationLevel: ['media', 'event'],
    },
    coordinatePrecision: publication.precision,
    spatial: { type: 'Point', coordinates: [publication.longitude, publication.latitude] },
    temporal: { start: utcDay(Math.min(...starts)), end: utcDay(Math.max(...ends)) },
    taxonomic: taxa.map(({ scientificName, name, rank, family }) => ({
      scientificName,
      ...(standardRanks.includes(rank) && { taxonRank: rank }),
      ...(family && { family }),
      ...(name && { vernacularNames: vernacularNames(name) }),
    })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
