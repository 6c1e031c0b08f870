import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { ProcessorRestarts } from './processor-restarts.js';

const schema = {
  operationId: 'restartProcessor',
  summary: 'Restart the processor',
  description:
    'Sends a restart command as an event, in the responses to heartbeats, and as a file if one is ' +
    'configured. The command is repeated until a heartbeat acknowledges it or shows that the processor has ' +
    'restarted, for at most ten minutes. Until then, a repeated call returns the same command.',
  tags: ['system'],
  security: access.admin,
  response: {
    200: Type.Object(
      {
        message: Type.String({ description: 'Human-readable result' }),
        command_id: Type.Integer({
          description: 'Id of the command, used by the processor to acknowledge it',
        }),
      },
      { $id: 'RestartResult' },
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
