import type { SettingsReader } from '@birdhub/domain/settings';
import { access, attachment, type HubApp, limits } from '@birdhub/shared/app';
import type { Limiter } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import { type Clock, localDay } from '@birdhub/shared/time';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { ExportPlaces } from '../export-places.js';
import { countSpecies } from './dataset.store.js';
import { DatasetQuerySchema } from './dataset-export.schema.js';
import { type DatasetPlan, planDataset } from './plan-dataset.js';
import { readOrder } from './read-order.js';
import { type DatasetOrder, type DatasetSources, writeDataset } from './write-dataset.js';
import { writeZip } from './write-zip.js';

const schema = {
  operationId: 'exportDataset',
  summary: 'Export a training data set',
  description:
    'A ZIP of `train/<class>/<video>_<track>_<n>.jpg` and `val/...`, of which no visit is on both sides, of ' +
    '`labels.csv`, a row a bird, and last `dataset_info.json`, which says what was written and what was left out for ' +
    'which reason: sounds, generic species, detections without boxes, recordings without a file. As `yolo` and `coco` ' +
    'it has whole frames in `images/`, with the boxes of all birds of the data set in them; frames with birds of both ' +
    'sides are left out, and classes count boxes. Places and pace are those of the export of the timeline.',
  tags: ['dataset'],
  security: access.contributor,
  querystring: DatasetQuerySchema,
  response: {
    200: {
      description: 'The archive, as an attachment',
      content: { 'application/zip': { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) } },
    },
  },
};

const config = { limit: limits.dataset };

/** `GET /dataset/export` */
export function datasetExportRoutes(
  app: HubApp,
  {
    settings,
    clock,
    exportPlaces,
    counting,
    ...sources
  }: DatasetSources & {
    settings: SettingsReader;
    clock: Clock;
    exportPlaces: ExportPlaces;
    counting: Limiter;
  },
): void {
  /** @throws HubError dataset_empty */
  async function plan(order: DatasetOrder, minImages: number): Promise<DatasetPlan> {
    const found = planDataset(await countSpecies(sources.readPool, order.search), minImages);
    if (!found.classes.length) throw new HubError('dataset_empty');
    return found;
  }

  function announce(reply: FastifyReply, zone: string, { createdAt }: DatasetOrder): FastifyReply {
    return reply
      .type('application/zip')
      .header('cache-control', 'no-store')
      .header('content-disposition', attachment(`birdhub_dataset_${localDay(zone, createdAt)}.zip`));
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/ui/dataset/export',
    schema,
    config,
    handler: async (request, reply) => {
      const { query, signal } = request;
      const { timezone } = (await settings.current()).general;
      const order = readOrder(query, timezone, clock.now());
      const minImages = query.min_images_per_class;
      try {
        if (request.method === 'HEAD') {
          await counting.run(() => plan(order, minImages), { signal });
          return announce(reply, timezone, order).send();
        }
        const stream = await exportPlaces.open(signal, async () => {
          // Whether there is any picture is known when there is one.
          const archive = await writeZip(writeDataset(sources, order, await plan(order, minImages), signal));
          if (!archive) throw new HubError('dataset_empty');
          return archive;
        });
        return announce(reply, timezone, order).send(stream);
      } catch (error) {
        if (signal.aborted) return reply.hijack();
        throw error;
      }
    },
  });
}
