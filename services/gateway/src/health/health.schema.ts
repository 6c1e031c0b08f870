import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

export const HealthSchema = Type.Object(
  { status: literals(['ok'], { description: '`ok` when the gateway replies' }) },
  { $id: 'Health' },
);

const Check = (description: string) => literals(['ok', 'error'], { description });

export const HubReadinessSchema = Type.Object(
  {
    status: literals(['ok', 'degraded', 'error'], {
      description: '`degraded`: only the broker is away; reads and writes work, events are delayed',
    }),
    checks: Type.Object(
      {
        database: Check('PostgreSQL'),
        broker: Check('The NATS server'),
        ingest: Check('The service that stores recordings'),
        query: Check('The service that reads and reviews'),
        reports: Check('The service of exports and reports'),
        system: Check('The service of settings, jobs and notifications'),
      },
      { description: 'Each part of the hub' },
    ),
  },
  { $id: 'Readiness' },
);

/** The shape of {@link HubReadinessSchema}. */
export type HubReadiness = Static<typeof HubReadinessSchema>;
