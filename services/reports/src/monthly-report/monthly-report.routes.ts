import { hubLanguages, negotiateLanguage, unitsIn } from '@birdhub/domain/language';
import type { SettingsReader } from '@birdhub/domain/settings';
import {
  access,
  attachment,
  type HubApp,
  limits,
  pacedStream,
  unlessDisconnected,
} from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { ReportFormat } from './format.js';
import type { ReportMaker } from './report-maker.js';
import { type ReportPeriod, readPeriod } from './report-period.js';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Query parameters of `GET /report/pdf`. */
const ReportQuerySchema = Type.Object({
  month: text(
    'Calendar month, `YYYY-MM` in the time zone of the hub; alternative to `start_time` and `end_time`',
  ),
  start_time: text('Start of the period: Unix seconds or RFC 3339; requires `end_time`'),
  end_time: text('End of the period (exclusive), at most 93 days after the start'),
  language: Type.Optional(
    literals([...hubLanguages], {
      description: 'Language of the report; defaults to the language of the client, else of the hub',
    }),
  ),
});

const pdf = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' });

const schema = {
  operationId: 'getReport',
  summary: 'Get a report as PDF',
  description:
    'The report contains totals, the most frequent species, visits by species, day and hour, temperatures, ' +
    'first and last sightings, and new species. Requires either `month` or both times. A visit belongs to ' +
    'the period in which it starts, as in the statistics (the timeline and its export also list visits ' +
    'that extend into the window). Generic species and other animals are left out and counted separately. ' +
    'Days and hours are in the time zone of the hub, temperatures in its units.',
  tags: ['reports'],
  security: access.open,
  querystring: ReportQuerySchema,
  response: {
    200: { description: 'The report as an attachment', content: { 'application/pdf': { schema: pdf } } },
  },
};

const config = { limit: limits.render };
/** Maximum time for which a reader may stall. */
const stallTimeoutMs = 30_000;

function setHeaders(reply: FastifyReply, { fileName }: ReportPeriod): FastifyReply {
  return reply
    .headers({
      'cache-control': 'no-cache',
      vary: 'accept-language',
      'content-disposition': attachment(fileName),
    })
    .type('application/pdf');
}

/** `GET /report/pdf` */
export function monthlyReportRoutes(
  app: HubApp,
  { settings, reports }: { settings: SettingsReader; reports: ReportMaker },
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/ui/report/pdf',
    schema,
    config,
    handler: async (request, reply) => {
      const { general, ebird } = await settings.current();
      const { language = negotiateLanguage(request.headers['accept-language'], general.language) } =
        request.query;
      const period = readPeriod(request.query, general.timezone, new ReportFormat(language));
      if (request.method === 'HEAD') return setHeaders(reply, period).send();
      const report = {
        language,
        units: unitsIn(general.timezone, general.units),
        period,
        hub: general.app_name,
        place: ebird.location_name,
      };
      const work = async (signal: AbortSignal) => {
        const bytes = await reports.make(report, signal);
        const stream = pacedStream(bytes, { stallTimeoutMs });
        return setHeaders(reply, period).header('content-length', bytes.length).send(stream);
      };
      return unlessDisconnected(reply, work, request.signal);
    },
  });
}
