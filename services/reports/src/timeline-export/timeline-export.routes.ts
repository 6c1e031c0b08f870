import type { SettingsReader } from '@birdhub/domain/settings';
import { bindFilters, readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp, limits, publicAddress } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import { type Clock, localDay, type TimeWindow } from '@birdhub/shared/time';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import { type ArchiveFile, writeZip } from '../archive/write-zip.js';
import { asPieces, type ExportSlots } from '../export-slots.js';
import { type PortalDeps, portals, writeForPortal } from '../science-export/portals.js';
import { readPublication } from '../science-export/publication.js';
import type { ScienceDeps } from '../science-export/science-export.js';
import { type ScienceRequest, writeCamtrapDp, writeDarwinCore } from '../science-export/science-export.js';
import { previewScience, SciencePreviewSchema } from '../science-export/science-preview.js';
import { toEbird } from './ebird.js';
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
  summary: 'Export the visits of a window',
  description:
    'Newest first. The window and the filters are those of the timeline; recordings without detections are left out. ' +
    "CSV is RFC 4180 with a header row. eBird's record format has one row a species and calendar day, in order of " +
    'day, generic species and other animals left out; a `Warning` says when it is longer than eBird takes at once. ' +
    '`camtrap-dp` and `dwca` are archives of the recordings that start in the window, for contributors; visits go with ' +
    'the cameras that recorded them, and the place is rounded as the settings of `science` say. `inaturalist` and ' +
    '`observation-org`, for contributors, too, have a row for each species and day of which a visit is certain: with ' +
    'most birds at once, and a picture, without which iNaturalist has no row. Three exports are ' +
    'made at once, further ones wait, and are 503 `busy` when that takes too long; a reader that stalls is cut. HEAD ' +
    'answers the headers alone.',
  tags: ['timeline'],
  security: access.open,
  querystring: ExportQuerySchema,
  response: {
    200: {
      description: 'The export, as an attachment',
      content: {
        'application/json': { schema: Type.Array(ExportRowSchema) },
        'text/csv': { schema: text('Rows of CSV') },
        'application/zip': { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) },
      },
    },
  },
};

const previewSchema = {
  operationId: 'previewScienceExport',
  summary: 'Preview an export for science',
  description:
    'Counts what `camtrap-dp` and `dwca` would hold of a window, and what is left out or less than it could be, with ' +
    'the reason.',
  tags: ['timeline'],
  security: access.contributorRead,
  querystring: SciencePreviewQuerySchema,
  response: { 200: SciencePreviewSchema },
};

/** `GET /timeline/export` and `GET /timeline/export/preview` */
export function timelineExportRoutes(
  app: HubApp,
  {
    readPool: pool,
    settings: reader,
    exportSlots,
    clock,
    recordingsDir,
    crops,
  }: ScienceDeps & PortalDeps & { settings: SettingsReader; exportSlots: ExportSlots; clock: Clock },
): void {
  const config = { limit: limits.export };
  const url = '/api/ui/timeline/export';

  async function readSearch(query: SciencePreviewQuery) {
    const { start_time, end_time, date, ...filters } = query;
    const settings = await reader.current();
    const { timezone } = settings.general;
    const window = readWindow({ start_time, end_time, date }, timezone, maxDays);
    return {
      settings,
      timezone,
      search: { window, filters: bindFilters(filters, timezone) },
      cameraId: filters.camera_id,
    };
  }

  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema,
    config,
    handler: async (request, reply) => {
      const { format, media, core, ...query } = request.query;
      const { signal } = request;
      const { settings, timezone, search, cameraId } = await readSearch(query);
      const portal = portals.find((one) => one === format);
      const isScience = format === 'camtrap-dp' || format === 'dwca' || portal !== undefined;
      if (isScience && request.headers['x-hub-caller'] === 'viewer') throw new HubError('unlock_required');
      const science = (): ScienceRequest => ({
        search: {
          ...search,
          cameraId,
          doubtBelow: settings.ui.unknown_confidence_threshold,
          mediaBase: publicAddress(request, settings.notifications.base_url),
        },
        publication: readPublication(settings),
        media,
        isPublic: !settings.general.require_auth_for_video_stream,
        zone: timezone,
        createdAt: clock.now(),
        signal,
      });
      if (request.method === 'HEAD') {
        if (isScience) science();
        return setHeaders(reply, format, search.window, timezone).send();
      }
      try {
        const stream = await exportSlots.open(signal, async () => {
          if (format === 'csv') return writeCsv(pool, search);
          if (format === 'json') return writeJson(pool, search);
          const deps = { readPool: pool, recordingsDir };
          if (format === 'camtrap-dp') return zip(writeCamtrapDp(deps, science()));
          if (format === 'dwca') return zip(writeDarwinCore(deps, science(), core));
          if (portal) return zip(writeForPortal({ readPool: pool, crops }, science(), portal));
          const records = await toEbird(readSightings(pool, search, signal), settings);
          reply.header('content-length', records.length);
          if (records.length > maxEbirdBytes) reply.header('warning', tooLongWarning);
          return asPieces(records);
        });
        return setHeaders(reply, format, search.window, timezone).send(stream);
      } catch (error) {
        if (signal.aborted) return reply.hijack();
        throw error;
      }
    },
  });

  app.get(`${url}/preview`, { schema: previewSchema, config }, async (request) => {
    const { settings, search, cameraId } = await readSearch(request.query);
    const asked = {
      ...search,
      cameraId,
      doubtBelow: settings.ui.unknown_confidence_threshold,
      mediaBase: '',
    };
    return previewScience(pool, asked, settings, request.signal);
  });
}

/** Writes a non-empty archive. */
async function zip(files: AsyncIterable<ArchiveFile>): Promise<AsyncIterable<Buffer>> {
  const archive = await writeZip(files);
  if (!archive) throw new HubError('dataset_empty');
  return archive;
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
