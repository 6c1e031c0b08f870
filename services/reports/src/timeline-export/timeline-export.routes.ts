import type { SettingsReader } from '@birdhub/domain/settings';
import { bindFilters, readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp, limits } from '@birdhub/shared/app';
import { localDay, type TimeWindow } from '@birdhub/shared/time';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import { asPieces, type ExportSlots } from '../export-slots.js';
import { toEbird } from './ebird.js';
import { type ExportSearch, readRows, readSightings } from './export.store.js';
import {
  type ExportFormat,
  ExportQuerySchema,
  ExportRowSchema,
  exportColumns,
} from './timeline-export.schema.js';

const maxDays = 366;
/** The largest file that eBird takes. */
const maxEbirdBytes = 1_000_000;
const tooLongWarning = '199 birdhub "eBird takes at most 1 MB at once: ask for fewer days"';

const types: Record<ExportFormat, { readonly media: string; readonly suffix: string }> = {
  csv: { media: 'text/csv; charset=utf-8; header=present', suffix: '.csv' },
  json: { media: 'application/json; charset=utf-8', suffix: '.json' },
  ebird: { media: 'text/csv; charset=utf-8; header=absent', suffix: '_ebird.csv' },
};

const text = (description: string) => Type.String({ description });

const schema = {
  operationId: 'exportTimeline',
  summary: 'Export the visits of a window',
  description:
    'Newest first. The window and the filters are those of the timeline; recordings without detections are left out. ' +
    "CSV is RFC 4180 with a header row. eBird's record format has one row a species and calendar day, in order of " +
    'day, generic species and other animals left out; a `Warning` says when it is longer than eBird takes at once. Three exports are ' +
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
      },
    },
  },
};

/** `GET /timeline/export` */
export function timelineExportRoutes(
  app: HubApp,
  {
    readPool: pool,
    settings: reader,
    exportSlots,
  }: { readPool: pg.Pool; settings: SettingsReader; exportSlots: ExportSlots },
): void {
  const config = { limit: limits.export };
  const url = '/api/ui/timeline/export';
  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema,
    config,
    handler: async (request, reply) => {
      const { start_time, end_time, date, format, ...filters } = request.query;
      const { signal } = request;
      const settings = await reader.current();
      const { timezone } = settings.general;
      const window = readWindow({ start_time, end_time, date }, timezone, maxDays);
      const search = { window, filters: bindFilters(filters, timezone) };
      if (request.method === 'HEAD') return setHeaders(reply, format, window, timezone).send();
      try {
        const stream = await exportSlots.open(signal, async () => {
          if (format === 'csv') return writeCsv(pool, search);
          if (format === 'json') return writeJson(pool, search);
          const records = await toEbird(readSightings(pool, search, signal), settings);
          reply.header('content-length', records.length);
          if (records.length > maxEbirdBytes) reply.header('warning', tooLongWarning);
          return asPieces(records);
        });
        return setHeaders(reply, format, window, timezone).send(stream);
      } catch (error) {
        if (signal.aborted) return reply.hijack();
        throw error;
      }
    },
  });
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

/** The export as RFC 4180 CSV, piece by piece. */
async function* writeCsv(pool: pg.Pool, search: ExportSearch): AsyncGenerator<string> {
  yield `${exportColumns.join(',')}\r\n`;
  yield* readRows(pool, 'csv', search);
}

/** The export as a JSON array, piece by piece. */
async function* writeJson(pool: pg.Pool, search: ExportSearch): AsyncGenerator<string> {
  let before = '[';
  for await (const rows of readRows(pool, 'json', search)) {
    yield before;
    yield rows;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
