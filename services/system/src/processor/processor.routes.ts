import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { ProcessorRestarts } from './processor-restarts.js';

const schema = {
  operationId: 'restartProcessor',
  summary: 'Restart the processor',
  description:
    'By event, in the answers to its heartbeats, and by a file where one is configured; repeated until a heartbeat ' +
    'acknowledges it, or shows another start, or ten minutes pass. A repeated call returns the same command.',
  tags: ['system'],
  security: access.admin,
  response: {
    200: Type.Object(
      {
        message: Type.String({ description: 'What was done, for a person' }),
        command_id: Type.Integer({
          description: 'Id of the command, by which the processor acknowledges it',
        }),
      },
      { $id: 'RestartAnswer' },
    ),
  },
};

/** `POST /restart-processor` */
export function processorRoutes(
  app: HubApp,
  { restarts }: { restarts: Pick<ProcessorRestarts, 'request'> },
): void {
  app.post('/api/ui/restart-processor', { schema }, async () => {
    const { id } = await restarts.request();
    return { message: 'The processor was asked to restart.', command_id: id };
  });
}
