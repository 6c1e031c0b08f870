import { access, attachment, type HubApp, limits } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { SettingsReader } from '@birdhub/shared/settings';
import { type Clock, localDay } from '@birdhub/shared/time';
import { Type } from 'typebox';
import { countSpecies } from './dataset.store.js';
import { DatasetQuerySchema } from './dataset-export.schema.js';
import { planDataset } from './plan-dataset.js';
import { readOrder } from './read-order.js';
import { type DatasetSources, writeDataset } from './write-dataset.js';
import { writeZip } from './write-zip.js';

const schema = {
  operationId: 'exportDataset',
  summary: 'Export pictures of detections to train classifiers and detectors with',
  description:
    'A ZIP of `train/<class>/<video>_<track>_<n>.jpg` and `val/...`, of which no visit is on both sides, of ' +
    '`labels.csv`, a row a bird, and last `dataset_info.json`, which says what was written and what was left out for ' +
    'which reason: sounds, generic species, detections without boxes, recordings without a file. As `yolo` and `coco` ' +
    'it has whole frames in `images/`, with the boxes of all birds of the data set in them; frames with birds of both ' +
    'sides are left out, and classes count boxes.',
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
  { settings, clock, ...sources }: DatasetSources & { settings: SettingsReader; clock: Clock },
): void {
  app.get('/api/ui/dataset/export', { schema, config }, async (request, reply) => {
    const { query, signal } = request;
    const { timezone } = (await settings.current()).general;
    const now = clock.now();
    const order = readOrder(query, timezone, now);
    const plan = planDataset(await countSpecies(sources.readPool, order.search), query.min_images_per_class);
    if (!plan.classes.length) throw new HubError('dataset_empty');
    try {
      // Whether there is any picture is known when there is one.
      const archive = await writeZip(writeDataset(sources, order, plan, signal));
      if (!archive) throw new HubError('dataset_empty');
      return reply
        .type('application/zip')
        .header('cache-control', 'no-store')
        .header('content-disposition', attachment(`birdhub_dataset_${localDay(timezone, now)}.zip`))
        .send(archive);
    } catch (error) {
      if (signal.aborted) return reply.hijack();
      throw error;
    }
  });
}
