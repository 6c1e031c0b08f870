import type { HubApp } from './create-app.js';
import { requireInternal } from './internal-caller.js';

/** How something is that a service depends on; `not_used` when the service works without it. */
export type Condition = 'ok' | 'error' | 'not_used';

/** How the dependencies of one service are; the answer of `/internal/readiness`. */
export interface Conditions {
  readonly database: Condition;
  readonly broker: Condition;
}

/** Asks the dependencies of one service; what a service does not use is left out. */
export interface Probes {
  /** Rejects when the database does not answer. */
  readonly database?: () => Promise<unknown>;
  /** Whether the broker is connected now. */
  readonly broker?: () => boolean;
}

/** The path on which the gateway asks a service how it is. */
export const readinessPath = '/internal/readiness';

const patienceMs = 1_500;

async function answersInTime(question: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  const answered = question.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

/** Asks all probes at once; one that fails or takes longer than 1.5 s is an error. */
export async function askProbes(probes: Probes): Promise<Conditions> {
  const toCondition = (isFine: boolean): Condition => (isFine ? 'ok' : 'error');
  return {
    database: probes.database ? toCondition(await answersInTime(probes.database())) : 'not_used',
    broker: probes.broker ? toCondition(probes.broker()) : 'not_used',
  };
}

/** Adds the route that tells the gateway how this service is; it is no part of the contract. */
export function registerReadiness(app: HubApp, probes: Probes, internalSecret: string | undefined): void {
  const onRequest = internalSecret === undefined ? [] : [requireInternal(internalSecret)];
  app.get(readinessPath, { onRequest, schema: { hide: true } }, () => askProbes(probes));
}
