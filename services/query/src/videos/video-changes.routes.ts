import { authorOf, type FileRemover, type RecordingWriter } from '@birdhub/domain/recordings';
import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import { VideoParamsSchema } from './videos.schema.js';

const shared = { tags: ['videos'], security: access.contributor, params: VideoParamsSchema };

const favoriteRoute = {
  ...shared,
  operationId: 'updateVideo',
  summary: 'Set whether a recording is a favourite',
  body: Type.Object(
    { favorite: Type.Boolean({ description: 'Favourites are never deleted automatically' }) },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object({
      message: Type.String({ description: 'What was done, for a person' }),
      id: Type.Integer({ description: 'Id of the recording' }),
      favorite: Type.Boolean({ description: 'Whether it is a favourite now' }),
    }),
  },
};

const deleteRoute = {
  ...shared,
  operationId: 'deleteVideo',
  summary: 'Delete a recording with its detections and files',
  description: 'Visits are made again without it. A later post of the same recording stores nothing.',
  response: { 200: Type.Object({ message: Type.String({ description: 'What was done, for a person' }) }) },
};

/** `PATCH /videos/:id`, `DELETE /videos/:id` */
export function videoChangeRoutes(
  app: HubApp,
  { writer, files }: { writer: Pick<RecordingWriter, 'markFavorite' | 'remove'>; files: FileRemover },
): void {
  app.patch('/api/ui/videos/:id', { schema: favoriteRoute }, async (request, reply) => {
    const { id } = request.params;
    const { favorite } = request.body;
    const { bell } = await writer.markFavorite(id, favorite);
    if (bell) reply.header('x-hub-bell', bell);
    return { message: 'success', id, favorite };
  });

  app.delete('/api/ui/videos/:id', { schema: deleteRoute }, async (request, reply) => {
    const { bell } = await writer.remove(request.params.id, authorOf(request));
    if (bell) reply.header('x-hub-bell', bell);
    await files.removeLatest();
    return { message: 'success' };
  });
}
