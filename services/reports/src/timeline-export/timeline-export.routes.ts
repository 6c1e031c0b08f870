import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { bindFilters, readWindow } from '@birdhub/domain/timeline';
import {
  access,
  type HubApp,
  isUnlocked,
  limits,
  publicAddress,
  requireUnlocked,
  unlessDisconnected,
} from '@birdhub/shared/app';
import { forwardedKey } from '@birdhub/shared/attempts';
import { invalidField } from '@birdhub/shared/errors';
import { type Clock, type DayWindow, dayWindowAt, localDay, type TimeWindow } from '@birdhub/shared/time';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import { type ArchiveFile, writeZip } from '../archive/write-zip.js';
import type { ExportSlots } from '../export-slots.js';
import type { Core } from '../science-export/darwin-core.js';
import { type PortalDeps, type PortalRequest, writeForPortal } from '../science-export/portals.js';
import { readPublication } from '../science-export/publication.js';
import type { ScienceSearch } from '../science-export/science.store.js';
import {
  type ScienceDeps,
  type ScienceRequest,
  writeCamtrapDp,
  writeDarwinCore,
} from '../science-export/science-export.js';
import { previewScience, SciencePreviewSchema } from '../science-export/science-preview.js';
import { limitEbird, toEbird } from './ebird.js';
import { type ExportSearch, readRows, readSightings } from './export.store.js';
import {
  type ExportFormat,
  ExportQuerySchema,
  ExportRowSchema,
  exportColumns,
  type SciencePreviewQuery,
  SciencePreviewQuerySchema,
} from './timeline-export.schema.js';

const maxDays = 366;
/** Maximum file size accepted by eBird. */
const maxEbirdBytes = 1_000_000;
const tooLongWarning = '199 birdhub "eBird takes at most 1 MB at once: ask for fewer days"';

const types: Record<ExportFormat, { readonly media: string; readonly suffix: string }> = {
  csv: { media: 'text/csv; charset=utf-8; header=present', suffix: '.csv' },
  json: { media: 'application/json; charset=utf-8', suffix: '.json' },
  ebird: { media: 'text/csv; charset=utf-8; header=absent', suffix: '_ebird.csv' },
  'camtrap-dp': { media: 'application/zip', suffix: '_camtrap-dp.zip' },
  dwca: { media: 'application/zip', suffix: '_dwca.zip' },
  inaturalist: { media: 'application/zip', suffix: '_inaturalist.zip' },
  'observation-org': { media: 'application/zip', suffix: '_observation-org.zip' },
};

const text = (description: string) => Type.String({ description });

const schema = {
  operationId: 'exportTimeline',
  summary: 'Export the visits of a time window',
  description:
    'Returns visits, newest first. The window and the filters are those of the timeline; recordings ' +
    'without detections are left out. CSV follows RFC 4180, with a header row. The eBird format has one ' +
    'row per species and calendar day of the visits that start in the window, ordered by day, without ' +
    'generic species and other animals; a `Warning` header is set when the file is larger than eBird ' +
    'accepts. It has the exact location of the hub for contributors only, for others the one rounded ' +
    'according to the `science` settings, and is never a complete checklist with a filter. `camtrap-dp` and `dwca` are only available to contributors and return archives of the ' +
    'recordings that start in the window; visits are assigned to the cameras that recorded them, and the location is rounded according to the `science` ' +
    'settings. `inaturalist` and `observation-org` are also only available to contributors and have one ' +
    'row per species and day with a certain visit, with the maximum number of birds at the same time and a ' +
    'picture; rows for iNaturalist require a picture. Three exports run concurrently; further ones wait, ' +
    'and return 503 `busy` when the wait is too long. An export is aborted when the client stops reading. ' +
    'HEAD returns only the headers.',
  tags: ['timeline'],
  security: access.open,
  querystring: ExportQuerySchema,
  response: {
    200: {
      description: 'The export as an attachment',
      content: {
        'application/json': { schema: Type.Array(ExportRowSchema) },
        'text/csv': { schema: text('CSV rows') },
        'application/zip': { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) },
      },
    },
  },
};

const previewSchema = {
  operationId: 'previewScienceExport',
  summary: 'Preview an export for science',
  description:
    'Counts what `camtrap-dp` and `dwca` exports of a time window would contain, and what is left out or ' +
    'incomplete, with the reason.',
  tags: ['timeline'],
  security: access.contributorRead,
  querystring: SciencePreviewQuerySchema,
  response: { 200: SciencePreviewSchema },
};

/** Dependencies of these routes. */
interface TimelineExportDeps extends ScienceDeps, PortalDeps {
  readonly settings: SettingsReader;
  readonly exportSlots: ExportSlots;
  readonly clock: Clock;
}

/** `GET /timeline/export` and `GET /timeline/export/preview` */
export function timelineExportRoutes(app: HubApp, deps: TimelineExportDeps): void {
  const { readPool, exportSlots, clock } = deps;
  const config = { limit: limits.export };
  const url = '/api/ui/timeline/export';

  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema,
    config,
    handler: async (request, reply) => {
      const { format, media, core, ...query } = request.query;
      const { signal } = request;
      const settings = await deps.settings.current();
      const search = readSearch(query, settings);
      const isScience = isScienceFormat(format);
      if (isScience) requireUnlocked(request);
      if (format === 'dwca' && core === 'event') requireAllBirds(search);
      const mediaBase = publicAddress(request, settings.notifications.base_url);
      const given = { media, mediaBase, createdAt: clock.now(), signal };
      const science = isScience ? { ...toScienceRequest(search, settings, given), format, core } : undefined;
      const toFile = () => setHeaders(reply, format, search.window, settings.general.timezone);
      if (request.method === 'HEAD') return toFile().send();
      const work = async () => {
        const stream = await exportSlots.open({ key: forwardedKey(request), signal }, async () => {
          if (science) return writeZip(writeScience(deps, science));
          if (format === 'csv') return writeCsv(readPool, search);
          if (format === 'json') return writeJson(readPool, search);
          const shown = limitEbird(settings, {
            isUnlocked: isUnlocked(request),
            isFiltered: search.filters.names.length > 0,
          });
          const records = await toEbird(readSightings(readPool, search, signal), shown);
          reply.header('content-length', records.length);
          if (records.length > maxEbirdBytes) reply.header('warning', tooLongWarning);
          return records;
        });
        return toFile().send(stream);
      };
      return unlessDisconnected(reply, work, signal);
    },
  });

  app.get(`${url}/preview`, { schema: previewSchema, config }, async ({ query, signal }, reply) => {
    const settings = await deps.settings.current();
    const search = toScienceSearch(readSearch(query, settings), settings, '');
    return unlessDisconnected(reply, () => previewScience(readPool, search, settings, signal), signal);
  });
}

interface TimelineSearch extends ExportSearch {
  readonly cameraId: string | undefined;
}

/** Returns the window and the filters of a query. @throws HubError invalid_request */
function readSearch(query: SciencePreviewQuery, { general }: Settings): TimelineSearch {
  const { start_time, end_time, date, ...filters } = query;
  const window = readWindow({ start_time, end_time, date }, general.timezone, maxDays);
  return { window, filters: bindFilters(filters, general.timezone, window), cameraId: filters.camera_id };
}

/**
 * Days of monitoring list all birds of their cameras, as those that are not listed count as absent.
 * @throws HubError invalid_request for other filters
 */
function requireAllBirds({ filters }: TimelineSearch): void {
  const filter = filters.names.find((name) => name !== 'camera_id');
  if (filter !== undefined) throw invalidField(filter, 'must not be combined with core=event');
}

function toScienceSearch(
  search: TimelineSearch,
  { ui, general }: Settings,
  mediaBase: string,
): ScienceSearch {
  const days = daysOf(search.window, general.timezone);
  return { ...search, days, doubtBelow: ui.unknown_confidence_threshold, mediaBase };
}

/** Returns the local days that overlap a window, clipped to it. */
function daysOf(window: TimeWindow, zone: string): DayWindow[] {
  const days: DayWindow[] = [];
  for (let at = window.start; at < window.end; ) {
    const day = dayWindowAt(zone, at);
    days.push({ ...day, start: at, end: Math.min(day.end, window.end) });
    at = day.end;
  }
  return days;
}

/** @throws HubError location_missing */
function toScienceRequest(
  search: TimelineSearch,
  settings: Settings,
  {
    mediaBase,
    ...given
  }: Pick<ScienceRequest, 'media' | 'createdAt' | 'signal'> & Pick<ScienceSearch, 'mediaBase'>,
): ScienceRequest & Pick<PortalRequest, 'zone'> {
  return {
    ...given,
    search: toScienceSearch(search, settings, mediaBase),
    publication: readPublication(settings),
    isPublic: !settings.general.require_auth_for_video_stream,
    zone: settings.general.timezone,
  };
}

type ScienceFormat = Exclude<ExportFormat, 'csv' | 'json' | 'ebird'>;

const isScienceFormat = (format: ExportFormat): format is ScienceFormat =>
  !['csv', 'json', 'ebird'].includes(format);

/** A requested archive, with the core of Darwin Core archives. */
interface ScienceExport extends ScienceRequest, Pick<PortalRequest, 'zone'> {
  readonly format: ScienceFormat;
  readonly core: Core;
}

function writeScience(
  deps: ScienceDeps & PortalDeps,
  { format, core, ...request }: ScienceExport,
): AsyncIterable<ArchiveFile> {
  if (format === 'camtrap-dp') return writeCamtrapDp(deps, request);
  if (format === 'dwca') return writeDarwinCore(deps, request, core);
  return writeForPortal(deps, request, format);
}

function setHeaders(
  reply: FastifyReply,
  format: ExportFormat,
  { start, end }: TimeWindow,
  zone: string,
): FastifyReply {
  const { media, suffix } = types[format];
  const file = `birdhub_${localDay(zone, start)}_${localDay(zone, end - 1)}${suffix}`;
  return reply
    .type(media)
    .header('cache-control', 'no-cache')
    .header('content-disposition', `attachment; filename="${file}"`);
}

/** Yields the export as RFC 4180 CSV in chunks. */
async function* writeCsv(pool: pg.Pool, search: ExportSearch): AsyncGenerator<string> {
  yield `${exportColumns.join(',')}\r\n`;
  yield* readRows(pool, 'csv', search);
}

/** Yields the export as a JSON array in chunks. */
async function* writeJson(pool: pg.Pool, search: ExportSearch): AsyncGenerator<string> {
  let before = '[';
  for await (const rows of readRows(pool, 'json', search)) {
    yield before;
    yield rows;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
