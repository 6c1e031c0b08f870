import { access, callerOf, callerTokenOf, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { Feeder } from './feeder.js';

const schema = {
  operationId: 'dispenseFeed',
  summary: 'Dispense a portion of food',
  description:
    'Responds when the feeder has closed again, or as soon as it is open if it stays open for more than ' +
    'ten seconds. The feeder also closes when the client disconnects.',
  tags: ['feeder'],
  security: access.adminOrMcp,
  response: {
    200: Type.Object(
      {
        message: Type.String({ description: 'Human-readable result' }),
        dispensed_at: Type.String({ format: 'date-time', description: 'When the portion was dispensed' }),
      },
      { $id: 'DispenseResult' },
    ),
  },
};

/** `POST /feed/dispense` */
export function feederRoutes(app: HubApp, { feeder }: { feeder: Pick<Feeder, 'dispense' | 'stop'> }): void {
  // Closes an open feeder before the service waits for requests in flight.
  app.addHook('preClose', (done) => {
    feeder.stop();
    done();
  });
  app.post('/api/ui/feed/dispense', { schema }, async (request) => {
    const by = callerOf(request) ?? 'unknown';
    const dispensedAt = await feeder.dispense({ by, token: callerTokenOf(request)?.name });
    return { message: 'A portion was given.', dispensed_at: new Date(dispensedAt).toISOString() };
  });
}
