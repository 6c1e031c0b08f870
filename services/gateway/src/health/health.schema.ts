import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

export const HealthSchema = Type.Object(
  { status: literals(['ok'], { description: 'Always `ok` when the gateway responds' }) },
  { $id: 'Health' },
);

const Check = (description: string) => literals(['ok', 'error'], { description });

export const HubReadinessSchema = Type.Object(
  {
    status: literals(['ok', 'degraded', 'error'], {
      description:
        '`degraded`: only the broker is unavailable; reads and writes work, but events are delayed',
    }),
    checks: Type.Object(
      {
        database: Check('Status of PostgreSQL'),
        broker: Check('Status of the NATS server'),
        ingest: Check('Status of the service that stores recordings'),
        query: Check('Status of the service for queries and reviews'),
        reports: Check('Status of the service for exports and reports'),
        system: Check('Status of the service for settings, jobs and notifications'),
      },
      { description: 'Status of each component of the hub' },
    ),
  },
  { $id: 'Readiness' },
);

/** The shape of {@link HubReadinessSchema}. */
export type HubReadiness = Static<typeof HubReadinessSchema>;
