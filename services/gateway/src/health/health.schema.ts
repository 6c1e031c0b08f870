import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

export const HealthSchema = Type.Object({ status: literals(['ok']) }, { $id: 'Health' });

const Check = literals(['ok', 'error']);

export const HubReadinessSchema = Type.Object(
  {
    status: literals(['ok', 'degraded', 'error'], {
      description: '`degraded`: only the broker is away; everything that people see works, news come late',
    }),
    checks: Type.Object({
      database: Check,
      broker: Check,
      ingest: Check,
      query: Check,
      reports: Check,
      system: Check,
    }),
  },
  { $id: 'Readiness' },
);

/** The shape of {@link HubReadinessSchema}. */
export type HubReadiness = Static<typeof HubReadinessSchema>;
