import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { CamerasSchema } from './cameras.schema.js';
import { listSeenCameras, mergeCameras } from './cameras.store.js';

const schema = {
  operationId: 'listCameras',
  summary: 'List cameras',
  description: 'Those of the settings and of all recordings.',
  tags: ['cameras'],
  security: access.open,
  response: { 200: CamerasSchema },
};

/** `GET /cameras` */
export function cameraRoutes(app: HubApp, { settings }: { settings: SettingsReader }): void {
  const config = { cache: { tags: { recordings: 'all', settings: true } } } as const;
  app.get('/api/ui/cameras', { schema, config }, async ({ readPool }) => {
    const [{ video }, seen] = await Promise.all([settings.current(), listSeenCameras(readPool)]);
    return { cameras: mergeCameras(video.cameras, seen) };
  });
}
