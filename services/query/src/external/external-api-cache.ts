import { setTimeout as pause } from 'node:timers/promises';
import { createSingleFlight } from '@birdhub/shared/async';
import type { PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  type AnswerKey,
  claimAnswer,
  findAnswer,
  forgetAnswers,
  type KeptAnswer,
  keepAnswer,
  keepFailure,
} from './external-api-cache.store.js';

/** A question to a service outside. Equal service and key have equal answers. */
export interface OutsideQuestion<T> extends AnswerKey {
  /** How long an answer is good, in ms. */
  freshMs(value: T): number;
  /** How long nobody asks again after a failure, in ms. */
  readonly retryMs: number;
  ask(): Promise<T>;
}

/** What is known: undefined when the service never answered. */
export interface OutsideAnswer<T> {
  readonly value: T | undefined;
  /** Whether the service could not be asked for something newer. */
  readonly isStale: boolean;
  /** When it is asked again, in ms. */
  readonly askAgainAt: number;
}

/** Answers of services outside, kept in the database for all processes. */
export interface OutsideAnswers {
  /** Asks when nothing good is kept; all who want the same at that moment wait for one request. */
  get<T>(question: OutsideQuestion<T>): Promise<OutsideAnswer<T>>;
}

/** What the answers are kept with. */
export interface OutsideAnswersDependencies {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Longer than any request takes; whoever asked is gone by then. */
const claimMs = 10_000;
const lookAgainMs = 100;
const mostLooks = 45;
const keptMs = 60 * 86_400_000;

/** Whether the answer in store can be given without asking. */
function isSettled(kept: KeptAnswer | undefined, now: number): kept is KeptAnswer {
  return kept !== undefined && kept.askAgainAt > now;
}

/** Waits for the process that is asking, as long as a reader can be made to wait. */
async function awaitOthers(
  { prisma, clock }: OutsideAnswersDependencies,
  key: AnswerKey,
): Promise<KeptAnswer | undefined> {
  let kept = await findAnswer(prisma, key, clock.now());
  for (let looks = 1; kept && !kept.isFree && looks < mostLooks; looks += 1) {
    await pause(lookAgainMs);
    kept = await findAnswer(prisma, key, clock.now());
  }
  return kept;
}

async function askAndKeep(
  { prisma, clock, log }: OutsideAnswersDependencies,
  question: OutsideQuestion<unknown>,
  kept: KeptAnswer | undefined,
): Promise<KeptAnswer> {
  const { service, key, freshMs, retryMs } = question;
  try {
    const value = await question.ask();
    const fetchedAt = clock.now();
    const askAgainAt = fetchedAt + freshMs(value);
    await keepAnswer(prisma, { service, key }, { value, fetchedAt, askAgainAt });
    await forgetAnswers(prisma, fetchedAt - keptMs);
    if (kept?.hasFailed) log.info({ outside: service }, 'external service called successfully again');
    return { value, hasFailed: false, askAgainAt, isFree: true };
  } catch (error) {
    log[kept?.hasFailed ? 'debug' : 'warn']({ err: error, outside: service }, 'external service not called');
    const askAgainAt = clock.now() + retryMs;
    await keepFailure(prisma, { service, key }, askAgainAt);
    return { value: kept?.value, hasFailed: true, askAgainAt, isFree: true };
  }
}

/** Kept answers: fresh ones are given at once, older ones when the service fails. */
export function createOutsideAnswers(dependencies: OutsideAnswersDependencies): OutsideAnswers {
  const { pool, prisma, clock } = dependencies;
  const flights = createSingleFlight<OutsideAnswer<unknown>>();

  async function settle(question: OutsideQuestion<unknown>): Promise<KeptAnswer | undefined> {
    const now = clock.now();
    const kept = await findAnswer(prisma, question, now);
    if (isSettled(kept, now)) return kept;
    const isMine = await claimAnswer(pool, question, { from: now, until: now + claimMs });
    return isMine ? askAndKeep(dependencies, question, kept) : awaitOthers(dependencies, question);
  }

  async function find(question: OutsideQuestion<unknown>): Promise<OutsideAnswer<unknown>> {
    const kept = await settle(question);
    const now = clock.now();
    return {
      value: kept?.value,
      isStale: !isSettled(kept, now) || kept.hasFailed,
      askAgainAt: kept?.askAgainAt ?? now,
    };
  }

  return {
    async get<T>(question: OutsideQuestion<T>) {
      const name = `${question.service} ${question.key}`;
      const answer = await flights.run(name, () => find(question as OutsideQuestion<unknown>));
      return answer as OutsideAnswer<T>;
    },
  };
}
