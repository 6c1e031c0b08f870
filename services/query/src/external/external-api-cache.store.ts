import { Prisma, type PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';

/** What is kept of one question to a service outside; times in ms. */
export interface KeptAnswer {
  /** The last good answer, undefined until there is one. */
  readonly value: unknown;
  readonly hasFailed: boolean;
  readonly askAgainAt: number;
  /** Whether nobody is asking. */
  readonly isFree: boolean;
}

/** Names one question: the service and what it is asked. */
export interface AnswerKey {
  readonly service: string;
  readonly key: string;
}

export async function findAnswer(
  prisma: PrismaClient,
  { service, key }: AnswerKey,
  now: number,
): Promise<KeptAnswer | undefined> {
  const row = await prisma.outsideAnswer.findUnique({ where: { service_key: { service, key } } });
  if (!row) return undefined;
  const { value, fetchedAt, hasFailed, askAgainAt, claimedUntil } = row;
  return {
    value: fetchedAt ? value : undefined,
    hasFailed,
    askAgainAt: askAgainAt.getTime(),
    isFree: claimedUntil === null || claimedUntil.getTime() <= now,
  };
}

/** Takes the right to ask until a time; false when the answer is still good or somebody else is asking. */
export async function claimAnswer(
  pool: pg.Pool,
  { service, key }: AnswerKey,
  span: { readonly from: number; readonly until: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO outside_answer AS old (service, key, ask_again_at, claimed_until) VALUES ($1, $2, $3, $4)
     ON CONFLICT (service, key) DO UPDATE SET claimed_until = EXCLUDED.claimed_until
     WHERE old.ask_again_at <= $3 AND coalesce(old.claimed_until <= $3, true)`,
    [service, key, new Date(span.from), new Date(span.until)],
  );
  return rowCount === 1;
}

/** Keeps a good answer and gives the claim back. */
export async function keepAnswer(
  prisma: PrismaClient,
  question: AnswerKey,
  answer: { readonly value: unknown; readonly fetchedAt: number; readonly askAgainAt: number },
): Promise<void> {
  const value = answer.value === null ? Prisma.JsonNull : (answer.value as Prisma.InputJsonValue);
  const times = { fetchedAt: new Date(answer.fetchedAt), askAgainAt: new Date(answer.askAgainAt) };
  await prisma.outsideAnswer.updateMany({
    where: question,
    data: { value, ...times, hasFailed: false, claimedUntil: null },
  });
}

/** Notes that it failed, leaves the last good answer, and gives the claim back. */
export async function keepFailure(
  prisma: PrismaClient,
  question: AnswerKey,
  askAgainAt: number,
): Promise<void> {
  await prisma.outsideAnswer.updateMany({
    where: question,
    data: { askAgainAt: new Date(askAgainAt), hasFailed: true, claimedUntil: null },
  });
}

/** Forgets answers that came before a time, and questions that were never answered since then. */
export async function forgetAnswers(prisma: PrismaClient, before: number): Promise<void> {
  const lt = new Date(before);
  await prisma.outsideAnswer.deleteMany({
    where: { OR: [{ fetchedAt: { lt } }, { fetchedAt: null, askAgainAt: { lt } }] },
  });
}
