import type { SettingsReader } from '@birdhub/domain/settings';
import { access, attachment, type HubApp, limits, unlessDisconnected } from '@birdhub/shared/app';
import { createLimiter } from '@birdhub/shared/async';
import { forwardedKey } from '@birdhub/shared/attempts';
import { HubError } from '@birdhub/shared/errors';
import { type Clock, localDay } from '@birdhub/shared/time';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import { writeZip } from '../archive/write-zip.js';
import type { ExportSlots } from '../export-slots.js';
import { type DatasetDeps, previewDataset, writeDataset } from './dataset.js';
import { countSpecies } from './dataset.store.js';
import { type DatasetQuery, DatasetQuerySchema } from './dataset-export.schema.js';
import { type DatasetPlan, type DatasetRequest, planDataset, readDatasetRequest } from './dataset-plan.js';
import { DatasetPreviewSchema } from './dataset-preview.schema.js';

const exportSchema = {
  operationId: 'exportDataset',
  summary: 'Export a training data set',
  description:
    'Returns a ZIP archive of `train/<class>/<video>_<track>_<n>.jpg` and `val/...` (no visit is in both), ' +
    '`labels.csv` with one row per bird, and finally `dataset_info.json`, which lists what was written and ' +
    'what was left out, with the reason: sounds, generic species, detections without boxes, recordings ' +
    'without a file. With `yolo` and `coco`, the archive has whole frames in `images/` with the boxes of ' +
    'all birds of the data set; frames with birds of both `train` and `val` are left out, and the counts ' +
    'of classes are numbers of boxes. The limits on concurrent exports and slow readers are the same as ' +
    'for `exportTimeline`.',
  tags: ['dataset'],
  security: access.contributorRead,
  querystring: DatasetQuerySchema,
  response: {
    200: {
      description: 'The archive as an attachment',
      content: { 'application/zip': { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) } },
    },
  },
};

const previewSchema = {
  operationId: 'previewDataset',
  summary: 'Preview a training data set',
  description:
    'Accepts the same parameters as the export and selects the same pictures, but does not decode ' +
    'recordings: pictures of damaged files are counted here and left out of the export. If nothing ' +
    'matches, the counts are 0 instead of a 404.',
  tags: ['dataset'],
  security: access.contributorRead,
  querystring: DatasetQuerySchema,
  response: { 200: DatasetPreviewSchema },
};

const config = { limit: limits.dataset };
/** Counting reads as much as an export, but is independent of slow readers. */
const countLimits = { max: 2, maxWaiting: 16, waitTimeoutMs: 15_000 };

/** Dependencies of these routes. */
interface DatasetRoutesDeps extends DatasetDeps {
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly exportSlots: ExportSlots;
}

/** `GET /dataset/export` and `GET /dataset/preview` */
export function datasetRoutes(app: HubApp, deps: DatasetRoutesDeps): void {
  const { settings, clock, exportSlots, readPool } = deps;
  const countLimiter = createLimiter(countLimits);

  async function readRequest(query: DatasetQuery) {
    const { timezone } = (await settings.current()).general;
    return { request: readDatasetRequest(query, timezone, clock.now()), timezone };
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/ui/dataset/export',
    schema: exportSchema,
    config,
    handler: async (received, reply) => {
      const { query, signal, method } = received;
      const { request, timezone } = await readRequest(query);
      const planExport = () => planNonEmpty(readPool, request, query);
      const work = async () => {
        if (method === 'HEAD') {
          await countLimiter.run(planExport, { signal });
          return setHeaders(reply, timezone, request).send();
        }
        const stream = await exportSlots.open({ key: forwardedKey(received), signal }, async () => {
          return writeZip(writeDataset(deps, request, await planExport(), signal));
        });
        return setHeaders(reply, timezone, request).send(stream);
      };
      return unlessDisconnected(reply, work, signal);
    },
  });

  app.get('/api/ui/dataset/preview', { schema: previewSchema, config }, async ({ query, signal }, reply) => {
    const { request } = await readRequest(query);
    const count = async () => previewDataset(deps, request, await plan(readPool, request, query), signal);
    return unlessDisconnected(reply, () => countLimiter.run(count, { signal }), signal);
  });
}

async function plan(pool: pg.Pool, { search }: DatasetRequest, query: DatasetQuery): Promise<DatasetPlan> {
  return planDataset(await countSpecies(pool, search), query.min_images_per_class);
}

/** @throws HubError dataset_empty */
async function planNonEmpty(
  pool: pg.Pool,
  request: DatasetRequest,
  query: DatasetQuery,
): Promise<DatasetPlan> {
  const found = await plan(pool, request, query);
  if (!found.classes.length) throw new HubError('dataset_empty');
  return found;
}

function setHeaders(reply: FastifyReply, zone: string, { createdAt }: DatasetRequest): FastifyReply {
  return reply
    .type('application/zip')
    .header('cache-control', 'no-store')
    .header('content-disposition', attachment(`birdhub_dataset_${localDay(zone, createdAt)}.zip`));
}
