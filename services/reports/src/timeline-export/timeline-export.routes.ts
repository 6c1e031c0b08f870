import { Readable } from 'node:stream';
import { access, type HubApp, limits } from '@birdhub/shared/app';
import type { SettingsReader } from '@birdhub/shared/settings';
import { localDay, type TimeWindow } from '@birdhub/shared/time';
import { readWindow } from '@birdhub/shared/timeline';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import { type ExportFormat, ExportQuerySchema, ExportRowSchema } from './timeline-export.schema.js';
import { writeCsv, writeEbird, writeJson } from './write-export.js';

const longestDays = 366;
/** The most that eBird takes as one file. */
const ebirdBytes = 1_000_000;

const types: Record<ExportFormat, { readonly media: string; readonly suffix: string }> = {
  csv: { media: 'text/csv; charset=utf-8; header=present', suffix: '.csv' },
  json: { media: 'application/json; charset=utf-8', suffix: '.json' },
  ebird: { media: 'text/csv; charset=utf-8; header=absent', suffix: '_ebird.csv' },
};

const text = (description: string) => Type.String({ description });

const schema = {
  operationId: 'exportTimeline',
  summary: 'Export the visits of a window of time, newest first',
  description:
    'The window and the filters are those of the timeline; recordings without detections are left out. ' +
    "CSV is RFC 4180 with a header row. eBird's record format has one row a species and calendar day, in order of " +
    'day, generic species left out; a `Warning` says when it is longer than eBird takes at once.',
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

function announce(
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

/** `GET /timeline/export` */
export function timelineExportRoutes(
  app: HubApp,
  { readPool: pool, settings: reader }: { readPool: pg.Pool; settings: SettingsReader },
): void {
  app.get('/api/ui/timeline/export', { schema, config: { limit: limits.export } }, async (request, reply) => {
    const { start_time, end_time, date, format, ...filters } = request.query;
    const settings = await reader.current();
    const { timezone } = settings.general;
    const window = readWindow({ start_time, end_time, date }, timezone, longestDays);
    const search = { window, filters };
    const answer = announce(reply, format, window, timezone);
    if (format !== 'ebird') {
      const pieces = format === 'csv' ? writeCsv(pool, search) : writeJson(pool, search);
      return answer.send(Readable.from(pieces, { objectMode: false }));
    }
    const records = await writeEbird(pool, search, settings);
    if (records.length > ebirdBytes)
      answer.header('warning', '199 birdhub "eBird takes at most 1 MB at once: ask for fewer days"');
    return answer.send(records);
  });
}
