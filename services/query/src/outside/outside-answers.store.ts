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

const readSql = `
  SELECT value, fetched_at IS NOT NULL AS "hasValue", has_failed AS "hasFailed",
    (extract(epoch FROM ask_again_at) * 1000)::bigint AS "askAgainAt",
    coalesce(claimed_until <= $3, true) AS "isFree"
  FROM outside_answer WHERE service = $1 AND key = $2`;

export async function findAnswer(
  pool: pg.Pool,
  { service, key }: AnswerKey,
  now: number,
): Promise<KeptAnswer | undefined> {
  const { rows } = await pool.query<KeptAnswer & { hasValue: boolean }>({
    name: 'outside-answer',
    text: readSql,
    values: [service, key, new Date(now)],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { value, hasValue, ...rest } = row;
  return { ...rest, value: hasValue ? value : undefined };
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
  pool: pg.Pool,
  { service, key }: AnswerKey,
  answer: { readonly value: unknown; readonly fetchedAt: number; readonly askAgainAt: number },
): Promise<void> {
  await pool.query(
    `UPDATE outside_answer SET value = $3, fetched_at = $4, ask_again_at = $5, has_failed = false, claimed_until = NULL
     WHERE service = $1 AND key = $2`,
    [service, key, JSON.stringify(answer.value), new Date(answer.fetchedAt), new Date(answer.askAgainAt)],
  );
}

/** Notes that it failed, leaves the last good answer, and gives the claim back. */
export async function keepFailure(
  pool: pg.Pool,
  { service, key }: AnswerKey,
  askAgainAt: number,
): Promise<void> {
  await pool.query(
    `UPDATE outside_answer SET ask_again_at = $3, has_failed = true, claimed_until = NULL
     WHERE service = $1 AND key = $2`,
    [service, key, new Date(askAgainAt)],
  );
}

/** Forgets answers that came before a time, and questions that were never answered since then. */
export async function forgetAnswers(pool: pg.Pool, before: number): Promise<void> {
  await pool.query('DELETE FROM outside_answer WHERE coalesce(fetched_at, ask_again_at) < $1', [
    new Date(before),
  ]);
}
