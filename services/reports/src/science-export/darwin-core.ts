import type { Columns } from '../csv.js';
import { cell, cellSql, freeText, freeTextSql, headerOf, line, timeSql } from '../csv.js';
import { standardRanks, utcDay } from './camtrap-dp.js';
import { lifeStageSql, sexSql } from './classification.js';
import type { Deployment, WatchedDay } from './deployments.store.js';
import { licences, type Publication } from './publication.js';
import {
  eventMediaRows,
  eventRows,
  fileNameSql,
  isOccurrence,
  localDaySql,
  mediaAddressSql,
  mediaTypeSql,
} from './science.store.js';
import { xml } from './xml.js';

/** The rows of the core: occurrences with media, or days of observation with occurrences. */
export const cores = ['occurrence', 'event'] as const;

/** One of {@link cores}. */
export type Core = (typeof cores)[number];

const dwc = 'http://rs.tdwg.org/dwc/terms/';
const dcterms = 'http://purl.org/dc/terms/';
const ac = 'http://rs.tdwg.org/ac/terms/';

/** Columns that are not terms of Darwin Core itself. */
const otherTerms: Readonly<Record<string, string>> = {
  license: `${dcterms}license`,
  rightsHolder: `${dcterms}rightsHolder`,
  identifier: `${dcterms}identifier`,
  type: 'http://purl.org/dc/elements/1.1/type',
  rights: `${dcterms}rights`,
  format: `${dcterms}format`,
  CreateDate: 'http://ns.adobe.com/xap/1.0/CreateDate',
  captureDevice: `${ac}captureDevice`,
  accessURI: `${ac}accessURI`,
  serviceExpectation: `${ac}serviceExpectation`,
};

const termOf = (column: string) => otherTerms[column] ?? dwc + column;
const fixed = (text: string | number) =>
  `'${(typeof text === 'number' ? String(text) : cell(freeText(text))).replaceAll("'", "''")}'`;

const occurrenceId = cellSql(`('visit:' || visit_id || ':' || deployment_id)`);

/** Returns the columns of `occurrence.csv`, with a row for each visit and deployment. */
function occurrenceColumns(publication: Publication): Columns {
  return {
    occurrenceID: occurrenceId,
    basisOfRecord: `'MachineObservation'`,
    scientificName: freeTextSql('taxon'),
    taxonRank: `CASE WHEN rank IN (${standardRanks.map((rank) => `'${rank}'`).join(', ')}) THEN rank END`,
    kingdom: `'Animalia'`,
    vernacularName: freeTextSql('name'),
    eventDate: `${timeSql('start_time')} || '/' || ${timeSql('end_time')}`,
    eventID: `'visit:' || visit_id`,
    parentEventID: cellSql('deployment_id'),
    individualCount: 'max_simultaneous::text',
    sex: sexSql('plumage'),
    lifeStage: lifeStageSql('plumage'),
    behavior: `CASE WHEN heard_only THEN 'vocalizing' END`,
    occurrenceStatus: `'present'`,
    samplingProtocol: `CASE WHEN heard_only THEN 'audio recorder' ELSE 'camera trap' END`,
    samplingEffort: `${timeSql('starts')} || '/' || ${timeSql('ends')}`,
    decimalLatitude: fixed(publication.latitude),
    decimalLongitude: fixed(publication.longitude),
    geodeticDatum: `'EPSG:4326'`,
    coordinateUncertaintyInMeters: fixed(publication.uncertainty),
    coordinatePrecision: fixed(publication.precision),
    countryCode: fixed(publication.countryCode),
    locality: fixed(publication.locationName),
    habitat: fixed(publication.habitat),
    identifiedBy: `CASE WHEN reviewed THEN 'reviewer'
      ELSE ${freeTextSql(`coalesce(nullif(detection_provider, ''), nullif(processor_version, ''))`)} END`,
    dateIdentified: timeSql(
      'CASE WHEN reviewed AND reviewed_at IS NOT NULL THEN reviewed_at ELSE created_at END',
    ),
    identificationVerificationStatus: `CASE WHEN reviewed THEN 'verified using recorded media' ELSE 'unverified' END`,
    identificationRemarks: `CASE WHEN NOT reviewed
      THEN 'classified by a machine with ' || round(confidence::numeric * 100) || '% certainty' END`,
    license: fixed(licences[publication.dataLicence]),
    rightsHolder: fixed(publication.rightsHolder),
    datasetName: fixed(publication.title),
  };
}

/** Returns the columns of `multimedia.csv`, with a row for each occurrence and recording. */
function multimediaColumns(publication: Publication, isPublic: boolean, asFiles: boolean): Columns {
  const link = cellSql(mediaAddressSql('video_id'));
  return {
    occurrenceID: occurrenceId,
    identifier: `'video:' || video_id`,
    type: `CASE media_kind WHEN 'audio' THEN 'Sound' WHEN 'image' THEN 'StillImage' ELSE 'MovingImage' END`,
    rights: fixed(licences[publication.mediaLicence]),
    CreateDate: timeSql('start_time'),
    captureDevice: freeTextSql(`nullif(camera_id, '')`),
    accessURI: asFiles ? `'media/' || ${fileNameSql('video_id')}` : link,
    format: mediaTypeSql,
    serviceExpectation: asFiles ? `'local'` : isPublic ? `'online'` : `'authenticate'`,
  };
}

/** `occurrence.csv` as the core. */
export function occurrenceTable(publication: Publication) {
  const columns = occurrenceColumns(publication);
  return { columns: Object.keys(columns), header: headerOf(columns), rows: eventRows(columns, isOccurrence) };
}

/** `multimedia.csv`, an extension of occurrences. */
export function multimediaTable(publication: Publication, isPublic: boolean, asFiles: boolean) {
  const columns = multimediaColumns(publication, isPublic, asFiles);
  return {
    columns: Object.keys(columns),
    header: headerOf(columns),
    rows: eventMediaRows(columns, isOccurrence),
  };
}

/** `occurrence.csv` as an extension of events: its first column is the local day. */
export function occurrencesByDay(publication: Publication) {
  const {
    eventID: _visit,
    parentEventID: _deployment,
    samplingEffort: _effort,
    ...columns
  } = occurrenceColumns(publication);
  const ofDay = {
    eventID: localDaySql('start_time'),
    ...columns,
  };
  return { columns: Object.keys(ofDay), header: headerOf(ofDay), rows: eventRows(ofDay, isOccurrence) };
}

const eventColumns = [
  'eventID',
  'eventDate',
  'samplingProtocol',
  'sampleSizeValue',
  'sampleSizeUnit',
  'samplingEffort',
  'decimalLatitude',
  'decimalLongitude',
  'geodeticDatum',
  'coordinateUncertaintyInMeters',
  'countryCode',
  'locality',
  'habitat',
  'license',
] as const;

/** `event.csv`: a row for each day of observation, with or without birds; days without observation have none. */
export function eventTable(
  publication: Publication,
  days: readonly WatchedDay[],
  deployments: readonly Deployment[],
) {
  const protocol = deployments.every(({ isSoundOnly }) => isSoundOnly) ? 'audio recorder' : 'camera trap';
  const rows = days
    .filter(({ hours, hasRecordings }) => hours > 0 || hasRecordings)
    .map(({ day, hours }) =>
      line([
        day,
        day,
        protocol,
        hours || undefined,
        hours ? 'hour' : undefined,
        hours
          ? `${hours} hours of watching; every certain identification is listed`
          : 'pictures without a length of time',
        publication.latitude,
        publication.longitude,
        'EPSG:4326',
        publication.uncertainty,
        freeText(publication.countryCode) || undefined,
        freeText(publication.locationName) || undefined,
        freeText(publication.habitat) || undefined,
        licences[publication.dataLicence],
      ]),
    );
  return { columns: [...eventColumns], text: line([...eventColumns]) + rows.join('') };
}

interface Table {
  readonly file: string;
  readonly rowType: string;
  readonly columns: readonly string[];
}

const tableXml = (element: 'core' | 'extension', { file, rowType, columns }: Table) => {
  const idColumn = element === 'core' ? 'id' : 'coreid';
  const first = element === 'core' ? 0 : 1;
  const fields = columns
    .map((column, index) => `    <field index="${index}" term="${termOf(column)}"/>`)
    .slice(first);
  return `  <${element} rowType="${rowType}" encoding="UTF-8" fieldsTerminatedBy="," linesTerminatedBy="\\r\\n" fieldsEnclosedBy="&quot;" ignoreHeaderLines="1">
    <files><location>${file}</location></files>
    <${idColumn} index="0"/>
${fields.join('\n')}
  </${element}>`;
};

const rowTypes = {
  occurrence: `${dwc}Occurrence`,
  event: `${dwc}Event`,
  multimedia: `${ac}Multimedia`,
} as const;

/** Returns `meta.xml`, which lists the files of the archive and the terms of their columns. */
export function metaXml(
  core: Core,
  columns: Readonly<Partial<Record<keyof typeof rowTypes, readonly string[]>>>,
): string {
  const tables = Object.entries(columns).map(([name, names]) => ({
    file: `${name}.csv`,
    rowType: rowTypes[name as keyof typeof rowTypes],
    columns: names,
  }));
  const isCore = ({ file }: Table) => file === `${core}.csv`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml">
${tables
  .filter(isCore)
  .map((table) => tableXml('core', table))
  .join('\n')}
${tables
  .filter((table) => !isCore(table))
  .map((table) => tableXml('extension', table))
  .join('\n')}
</archive>
`;
}

/** Returns `eml.xml`: publisher, content, coverage and licence. */
export function emlXml(
  publication: Publication,
  deployments: readonly Deployment[],
  createdAt: number,
  packageId: string,
): string {
  const { title, description, contactName, contactEmail, organization, dataLicence, latitude, longitude } =
    publication;
  const person = (element: string) => `    <${element}>
      ${organization ? `<organizationName>${xml(organization)}</organizationName>\n      ` : ''}<individualName><surName>${xml(contactName)}</surName></individualName>${
        contactEmail ? `\n      <electronicMailAddress>${xml(contactEmail)}</electronicMailAddress>` : ''
      }
    </${element}>`;
  const starts = deployments.map(({ start }) => Number(start));
  const ends = deployments.map(({ end }) => Number(end));
  return `<?xml version="1.0" encoding="UTF-8"?>
<eml:eml xmlns:eml="https://eml.ecoinformatics.org/eml-2.2.0" packageId="${xml(packageId)}" system="birdhub" xml:lang="en">
  <dataset>
    <title>${xml(title)}</title>
${person('creator')}
${person('metadataProvider')}
    <pubDate>${utcDay(createdAt)}</pubDate>
    <language>en</language>
    <abstract><para>${xml(description)}</para></abstract>
    <intellectualRights><para>This work is licensed under <ulink url="${licences[dataLicence]}"><citetitle>${dataLicence}</citetitle></ulink>.</para></intellectualRights>
    <coverage>
      <geographicCoverage>
        <geographicDescription>${xml(publication.locationName || `${latitude}, ${longitude}`)}</geographicDescription>
        <boundingCoordinates>
          <westBoundingCoordinate>${longitude}</westBoundingCoordinate>
          <eastBoundingCoordinate>${longitude}</eastBoundingCoordinate>
          <northBoundingCoordinate>${latitude}</northBoundingCoordinate>
          <southBoundingCoordinate>${latitude}</southBoundingCoordinate>
        </boundingCoordinates>
      </geographicCoverage>
      <temporalCoverage>
        <rangeOfDates>
          <beginDate><calendarDate>${utcDay(Math.min(...starts))}</calendarDate></beginDate>
          <endDate><calendarDate>${utcDay(Math.max(...ends))}</calendarDate></endDate>
        </rangeOfDates>
      </temporalCoverage>
    </coverage>
${person('contact')}
    <methods>
      <methodStep><description><para>Cameras and microphones at a feeder record when something moves or sounds. A program finds and names the birds; people review some of them.</para></description></methodStep>
      <sampling>
        <studyExtent><description><para>${xml(publication.locationName || 'One feeding place')}</para></description></studyExtent>
        <samplingDescription><para>${publication.isBaited ? 'Food is on offer.' : 'Without bait.'} Each visit is one occurrence; its count is the maximum number of birds seen at once.</para></samplingDescription>
      </sampling>
    </methods>
  </dataset>
</eml:eml>
`;
}
