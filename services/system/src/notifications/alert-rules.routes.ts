import type { SettingsReader } from '@birdhub/domain/settings';
import { listSourceSummaries } from '@birdhub/domain/sources';
import type { SpeciesDirectory, SpeciesTree } from '@birdhub/domain/species';
import { access, type HubApp, limits } from '@birdhub/shared/app';
import { type Database, inTransaction } from '@birdhub/shared/db';
import { HubError, refused } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';
import { listLog } from './alert-log.store.js';
import type { AlertRule, StoredRule } from './alert-rule.js';
import {
  checkRule,
  LogQuerySchema,
  LogSchema,
  PreviewBodySchema,
  PreviewSchema,
  RuleBodySchema,
  RuleChangeSchema,
  RuleDeletedSchema,
  RuleParamsSchema,
  RuleSchema,
  withDefaults,
} from './alert-rules.schema.js';
import { createRule, deleteRule, getRule, listRules, updateRule } from './alert-rules.store.js';
import { describeRule } from './describe-rule.js';
import type { MessageChannels } from './messages.store.js';
import { withCurrentSpecies } from './notification-policy.js';
import { previewRule } from './preview-rule.js';

const tags = ['notifications'];
const security = access.admin;

const listSchema = {
  operationId: 'listAlertRules',
  summary: 'List alert rules',
  description:
    'Returns the rules in order. For each bird, a channel only receives the message of the first matching ' +
    'rule. The settings (`general.enable_notifications`, excluded species, quiet hours, cooldown, maximum ' +
    'age) apply to all rules.',
  tags,
  security,
  response: { 200: Type.Array(RuleSchema, { description: 'Rules in order' }) },
};

const createSchema = {
  operationId: 'createAlertRule',
  summary: 'Add an alert rule',
  description: 'Adds the rule at the end. Omitted fields have their defaults.',
  tags,
  security,
  body: RuleBodySchema,
  response: { 201: RuleSchema },
};

const changeSchema = {
  operationId: 'updateAlertRule',
  summary: 'Change an alert rule',
  description: 'Omitted fields stay unchanged.',
  tags,
  security,
  params: RuleParamsSchema,
  body: RuleChangeSchema,
  response: { 200: RuleSchema },
};

const deleteSchema = {
  operationId: 'deleteAlertRule',
  summary: 'Delete an alert rule',
  description: 'The log keeps the name of the rule.',
  tags,
  security,
  params: RuleParamsSchema,
  response: { 200: RuleDeletedSchema },
};

const previewSchema = {
  operationId: 'previewAlertRule',
  summary: 'Preview an alert rule',
  description:
    'Returns what the rule alone would have sent in the last days, based on the stored visits. Nothing is ' +
    'stored or sent. The limits of the settings apply, whether notifications are enabled or not.',
  tags,
  security,
  body: PreviewBodySchema,
  response: { 200: PreviewSchema },
};

const logSchema = {
  operationId: 'listAlertLog',
  summary: 'List sent and suppressed notifications, with the reason',
  description:
    'One entry for each visit and notice that was recent when it was received, newest first. Entries are ' +
    'kept for 30 days.',
  tags,
  security,
  querystring: LogQuerySchema,
  response: { 200: LogSchema },
};

/** Dependencies of these routes. */
export interface AlertRuleRoutesDeps extends Pick<Database, 'pool' | 'prisma' | 'transaction'> {
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly channels: Pick<MessageChannels, 'list'>;
  readonly clock: Clock;
  readonly basePath: string;
  /** Timeout of a statement of a preview. */
  readonly previewTimeoutMs?: number;
}

/** `GET, POST /alert-rules`, `PATCH, DELETE /alert-rules/:id`, `POST /alert-rules/preview`, `GET /alert-log` */
export function alertRuleRoutes(app: HubApp, deps: AlertRuleRoutesDeps): void {
  const { pool, prisma } = deps;

  app.get('/api/ui/alert-rules', { schema: listSchema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const show = await createShow(deps);
    return (await listRules(pool)).map((rule) => ({ id: rule.id, ...show(rule) }));
  });

  app.post('/api/ui/alert-rules', { schema: createSchema }, async ({ body }, reply) => {
    const rule = withDefaults(body);
    await check(deps, rule);
    await checkReferences(deps, rule);
    const id = await createRule(deps, rule);
    return reply.code(201).send(await showRule(deps, id));
  });

  app.patch('/api/ui/alert-rules/:id', { schema: changeSchema }, async ({ params: { id }, body }) => {
    const { position, ...change } = body;
    const before = await getRule(prisma, id);
    await check(deps, { ...before, ...change });
    await checkReferences(deps, { ...before, ...change }, before);
    // Another request may have changed the rule concurrently.
    await updateRule(deps, id, (rule) => checkRule({ ...rule, ...change }), position);
    return showRule(deps, id);
  });

  app.delete('/api/ui/alert-rules/:id', { schema: deleteSchema }, async ({ params: { id } }) => {
    await deleteRule(prisma, id);
    return { message: 'The rule is deleted.' };
  });

  app.post(
    '/api/ui/alert-rules/preview',
    { schema: previewSchema, config: { limit: limits.render } },
    async ({ body: { rule: given, days = 7 } }, reply) => {
      reply.header('cache-control', 'no-store');
      const rule = withDefaults(given);
      await check(deps, rule, '/rule');
      return preview(deps, rule, days);
    },
  );

  app.get('/api/ui/alert-log', { schema: logSchema }, async ({ query }, reply) => {
    reply.header('cache-control', 'no-store');
    const { limit, cursor = Number.MAX_SAFE_INTEGER, notified } = query;
    const found = await listLog(prisma, { before: cursor, limit: limit + 1, notified });
    const entries = found.slice(0, limit);
    return { entries, next_cursor: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
  });
}

/** Returns a function that converts rules to their wire form. */
async function createShow({ pool, directory, channels: hub }: AlertRuleRoutesDeps) {
  const [tree, channels, sources] = await Promise.all([
    directory.tree(),
    hub.list(),
    listSourceSummaries(pool),
  ]);
  const names = {
    species: (id: number) => tree.nodes.get(tree.current(id) ?? 0)?.name,
    channel: (id: number) => channels.find((channel) => channel.id === id)?.name,
    source: (id: number) => sources.find((source) => source.id === id)?.name,
  };
  return <R extends AlertRule>(rule: R) => ({
    ...toWire(withCurrentSpecies(tree, rule)),
    summary: describeRule(rule, names),
  });
}

async function showRule(deps: AlertRuleRoutesDeps, id: number) {
  const rule = await getRule(deps.prisma, id);
  return { id, ...(await createShow(deps))(rule) };
}

/** @throws HubError invalid_request */
async function check({ directory }: AlertRuleRoutesDeps, rule: AlertRule, prefix?: string): Promise<void> {
  checkRule(rule, prefix);
  checkSpecies(await directory.tree(), rule, prefix);
}

/**
 * Checks the references of a rule; channels and sources that were deleted since may stay.
 * @throws HubError invalid_request
 */
async function checkReferences(
  { pool, channels }: AlertRuleRoutesDeps,
  rule: AlertRule,
  before: Partial<AlertRule> = {},
): Promise<void> {
  const valid = { channels: await channels.list(), sources: await listSourceSummaries(pool) };
  for (const field of ['channels', 'sources'] as const) {
    const ids = new Set([...valid[field].map(({ id }) => id), ...(before[field] ?? [])]);
    for (const [index, id] of rule[field].entries())
      if (!ids.has(id)) throw refused(`/${field}/${index}`, 'reference_gone', { kind: field.slice(0, -1) });
  }
}

/** Returns what a rule would have sent in the last days. @throws HubError busy when the database takes too long */
async function preview(deps: AlertRuleRoutesDeps, rule: AlertRule, days: number) {
  const { pool, directory, clock, basePath, previewTimeoutMs = 10_000 } = deps;
  const [settings, tree, show] = await Promise.all([
    deps.settings.current(),
    directory.tree(),
    createShow(deps),
  ]);
  const base = { baseUrl: settings.notifications.base_url, basePath };
  const past = await withTimeLimit(pool, previewTimeoutMs, (client) =>
    previewRule({ tree, settings, base, now: clock.now(), pool: client }, rule, days),
  );
  return { ...past, days, summary: show(rule).summary };
}

const queryCancelled = '57014';

/** Runs a preview with a time limit. @throws HubError busy when the database takes too long */
async function withTimeLimit<T>(
  pool: pg.Pool,
  timeoutMs: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(pool, work, `BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}`);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== queryCancelled) throw error;
    throw new HubError('busy', {
      message: 'The preview took too long; try it with fewer days or species.',
      cause: error,
    });
  }
}

/** @throws HubError invalid_request for an unknown species */
function checkSpecies(tree: SpeciesTree, rule: AlertRule, prefix = ''): void {
  for (const field of ['species', 'except_species'] as const) {
    for (const [index, id] of rule[field].entries())
      if (tree.current(id) === undefined)
        throw refused(`${prefix}/${field}/${index}`, 'reference_gone', { kind: 'species' });
  }
}

/** Copies lists to mutable arrays, as required by the types of the schema. */
function toWire(rule: AlertRule) {
  const { species, except_species, cameras, sources, weekdays, channels } = rule;
  const { id: _, ...fields } = rule as StoredRule;
  return {
    ...fields,
    species: [...species],
    except_species: [...except_species],
    cameras: [...cameras],
    sources: [...sources],
    weekdays: [...weekdays],
    channels: [...channels],
  };
}
