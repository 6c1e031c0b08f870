import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp, limits } from '@birdhub/shared/app';
import type { Limiter } from '@birdhub/shared/async';
import type { Clock } from '@birdhub/shared/time';
import { countSpecies } from './dataset.store.js';
import { DatasetQuerySchema } from './dataset-export.schema.js';
import { DatasetPreviewSchema } from './dataset-preview.schema.js';
import { planDataset } from './plan-dataset.js';
import { previewDataset } from './preview-dataset.js';
import { readOrder } from './read-order.js';
import type { DatasetSources } from './write-dataset.js';

const schema = {
  operationId: 'previewDataset',
  summary: 'Preview a training data set',
  description:
    'Takes what the export takes and chooses as it does, without decoding a video: pictures of a broken file count ' +
    'here and are left out there. Nothing that matches is zeros, not 404.',
  tags: ['dataset'],
  security: access.contributor,
  querystring: DatasetQuerySchema,
  response: { 200: DatasetPreviewSchema },
};

/** `GET /dataset/preview` */
export function datasetPreviewRoutes(
  app: HubApp,
  {
    settings,
    clock,
    counting,
    ...sources
  }: DatasetSources & { settings: SettingsReader; clock: Clock; counting: Limiter },
): void {
  app.get(
    '/api/ui/dataset/preview',
    { schema, config: { limit: limits.dataset } },
    async (request, reply) => {
      const { query, signal } = request;
      const { timezone } = (await settings.current()).general;
      const order = readOrder(query, timezone, clock.now());
      const count = async () => {
        const species = await countSpecies(sources.readPool, order.search);
        return previewDataset(sources, order, planDataset(species, query.min_images_per_class), signal);
      };
      try {
        return await counting.run(count, { signal });
      } catch (error) {
        if (signal.aborted) return reply.hijack();
        throw error;
      }
    },
  );
}
