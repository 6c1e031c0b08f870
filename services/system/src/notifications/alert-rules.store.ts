import { type Database, keyOf, lockNames, type Prisma, type PrismaClient } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import { type AlertRule, maxRules, ruleDefaults, type StoredRule } from './alert-rule.js';

const beginWithLock = `BEGIN; SELECT pg_advisory_xact_lock(${keyOf(lockNames.alertRules)})`;

const listSql = 'SELECT id, rule FROM alert_rule ORDER BY position, id';

interface RuleRow {
  readonly id: number;
  readonly rule: unknown;
}

/** Adds defaults for fields that older versions did not store. */
const toStoredRule = ({ id, rule }: RuleRow): StoredRule => ({
  ...ruleDefaults,
  ...(rule as AlertRule),
  id,
});

/** Returns all rules in their order. Plain SQL, as it runs for each visit. */
export async function listRules(pool: Pick<pg.ClientBase, 'query'>): Promise<StoredRule[]> {
  const { rows } = await pool.query<RuleRow>({ name: 'alert-rules', text: listSql });
  return rows.map(toStoredRule);
}

/** @throws HubError alert_rule_not_found */
export async function getRule({ alertRule }: PrismaClient, id: number): Promise<StoredRule> {
  const row = await alertRule.findUnique({ where: { id } });
  if (!row) throw new HubError('alert_rule_not_found');
  return toStoredRule(row);
}

/**
 * Adds a rule after the others. Returns its id.
 * @throws HubError too_many_alert_rules
 */
export function createRule({ transaction }: Pick<Database, 'transaction'>, rule: AlertRule): Promise<number> {
  return transaction(async ({ prisma: { alertRule } }) => {
    const { _count: count, _max: max } = await alertRule.aggregate({
      _count: true,
      _max: { position: true },
    });
    if (count >= maxRules) throw new HubError('too_many_alert_rules');
    const data = { position: (max.position ?? 0) + 1, rule: toJson(rule) };
    return (await alertRule.create({ data })).id;
  }, beginWithLock);
}

/**
 * Applies `change` to a rule, and moves it to a position, counted from 1, if given.
 * @throws HubError alert_rule_not_found
 */
export function updateRule(
  { transaction }: Pick<Database, 'transaction'>,
  id: number,
  change: (rule: AlertRule) => AlertRule,
  position?: number,
): Promise<void> {
  return transaction(async ({ prisma }) => {
    const { id: _, ...before } = await getRule(prisma, id);
    const data = { rule: toJson(change(before)), updatedAt: new Date() };
    await prisma.alertRule.update({ where: { id }, data });
    if (position !== undefined) await moveRule(prisma, id, position);
  }, beginWithLock);
}

async function moveRule({ alertRule }: PrismaClient, id: number, place: number): Promise<void> {
  const rows = await alertRule.findMany({
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
    select: { id: true },
  });
  const ids = rows.map((row) => row.id).filter((other) => other !== id);
  ids.splice(place - 1, 0, id);
  for (const [index, each] of ids.entries())
    await alertRule.update({ where: { id: each }, data: { position: index + 1 } });
}

/** @throws HubError alert_rule_not_found */
export async function deleteRule({ alertRule }: PrismaClient, id: number): Promise<void> {
  const { count } = await alertRule.deleteMany({ where: { id } });
  if (count === 0) throw new HubError('alert_rule_not_found');
}

const toJson = (rule: AlertRule) => rule as unknown as Prisma.InputJsonObject;
