import { defaultSettings, SettingsReader } from '@birdhub/domain/settings';
import { SpeciesEditor } from '@birdhub/domain/species';
import { createApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { localDay } from '@birdhub/shared/time';
import { aDetection, createTestDatabase, createTestWriter, testAuthor } from '@birdhub/testing';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestNotifications, type TestNotifications } from '../testing/create-test-notifications.js';
import { type AlertRule, ruleDefaults } from './alert-rule.js';
import { alertRuleRoutes } from './alert-rules.routes.js';
import { listRules } from './alert-rules.store.js';
import { previewRule } from './preview-rule.js';

const noon = Date.UTC(2026, 4, 10, 12);
const minute = 60_000;
const hour = 60 * minute;

describe('alert rules', () => {
  let hub: TestNotifications;
  beforeEach(async () => {
    hub = await createTestNotifications(noon);
    await hub.set({ notifications: { cooldown_seconds: 0, max_age_minutes: 1_440 } });
    await hub.subscribe('a');
  });
  afterEach(() => hub.close());

  const writerOf = () => createTestWriter(hub.database.pool);
  const logged = async () =>
    (
      await hub.database.pool.query<{
        visit: number;
        notified: boolean;
        reason: string;
        verdicts: { refusal: string }[];
      }>('SELECT visit_id AS visit, notified, reason, verdicts FROM alert_log ORDER BY id')
    ).rows;
  const waitLogged = (count: number) =>
    vi.waitFor(async () => expect(await logged()).toHaveLength(count), { interval: 5 });
  const post = (speciesName: string, start: number) =>
    hub.post({ start, detections: [aDetection({ speciesName })] });

  describe('routes', () => {
    function openRoutes(previewTimeoutMs?: number) {
      const { pool, prisma, transaction } = hub.database;
      const log = pino({ level: 'silent' });
      const { directory } = writerOf();
      const settings = new SettingsReader({ pool, timezone: 'UTC', log });
      const channels = {
        list: async () => [{ id: 4, kind: 'ntfy', name: 'Phone', enabled: true, takesFiles: false }],
      };
      const app = createApp({ log, metrics: createMetrics('system') });
      alertRuleRoutes(app, {
        pool,
        prisma,
        transaction,
        settings,
        directory,
        channels,
        clock: hub.clock,
        basePath: '',
        ...(previewTimeoutMs !== undefined && { previewTimeoutMs }),
      });
      return async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
        const response = await app.inject({ method, url: `/api/ui/${path}`, ...(payload && { payload }) });
        return { status: response.statusCode, body: response.json() };
      };
    }

    it('added by a form, have defaults and a sentence, and can be changed, moved and deleted', async () => {
      const send = openRoutes();
      const created = await send('POST', 'alert-rules', {
        name: 'Back',
        when: 'returns_after',
        channels: [4],
      });
      expect(created).toMatchObject({
        status: 201,
        body: {
          ...ruleDefaults,
          channels: [4],
          summary: 'Notifies when a species returns after 30 days, through Phone.',
        },
      });
      const { id } = created.body;
      const changed = await send('PATCH', `alert-rules/${id}`, { after_days: 5, position: 1 });
      expect(changed).toMatchObject({ status: 200, body: { id, name: 'Back', after_days: 5 } });
      const rules = (await send('GET', 'alert-rules')).body;
      expect(rules.map(({ name }: { name: string }) => name)).toEqual(['Back', 'any_visit']);
      expect(await send('DELETE', `alert-rules/${id}`)).toMatchObject({ status: 200 });
      expect(await send('DELETE', `alert-rules/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'alert_rule_not_found' },
      });
    });

    it.each([
      ['an unknown placeholder', { template: '{bird}' }, '/template'],
      ['half of the hours', { hours_start: '08:00' }, '/hours_end'],
      ['half of its quiet hours', { quiet_hours_start: '08:00' }, '/quiet_hours_end'],
      ['an unknown species', { species: [999_999] }, '/species/0'],
      ['an unknown channel', { channels: [4, 999_999] }, '/channels/1'],
      ['an unknown source', { sources: [999_999] }, '/sources/0'],
      ['favourites without species', { when: 'favourite_species' }, '/species'],
      ['cameras of the detector', { when: 'detector_silent', cameras: ['a'] }, '/cameras'],
      ['a template that is too long', { template: 'x'.repeat(501) }, '/template'],
      ['a name of spaces', { name: '  ' }, '/name'],
    ])('with %s, are refused naming the field, and nothing is stored', async (_, change, path) => {
      const send = openRoutes();
      const before = (await send('GET', 'alert-rules')).body;
      const body = { name: 'A', when: 'any_visit', ...change };
      expect(await send('POST', 'alert-rules', body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', details: [{ path }] },
      });
      expect((await send('GET', 'alert-rules')).body).toEqual(before);
    });

    it('of a new hub, notify of the first ever and the first of the day', async () => {
      const fresh = await createTestDatabase();
      const rules = await listRules(fresh.pool);
      await fresh.drop();
      expect(rules.map(({ when }) => when)).toEqual(['first_ever', 'first_of_day']);
    });

    it('with a preview that takes the database too long, return an error for it', async () => {
      const client = await hub.database.pool.connect();
      await client.query('BEGIN; LOCK TABLE species_visit');
      const body = { rule: { name: 'A', when: 'any_visit' }, days: 92 };
      const response = await openRoutes(50)('POST', 'alert-rules/preview', body);
      await client.query('ROLLBACK');
      client.release();
      expect(response).toMatchObject({
        status: 503,
        body: { code: 'busy', error: expect.stringContaining('fewer days') },
      });
      expect(await openRoutes()('POST', 'alert-rules/preview', body)).toMatchObject({
        status: 200,
        body: { would_send: 0, days: 92 },
      });
    });

    it('whose channel was deleted, can be changed and show that they reach nobody', async () => {
      const [id] = await hub.setRules([{ channels: [77] }]);
      expect(await openRoutes()('PATCH', `alert-rules/${id}`, { name: 'Other' })).toMatchObject({
        status: 200,
        body: { channels: [77], summary: 'Notifies about each visit, through no channel.' },
      });
    });

    it('of a rule with a merged species, return the species it was merged into, once', async () => {
      const { directory, notifier } = writerOf();
      const ids = await directory.resolve(['Robin', 'Wren']);
      const [robin = 0, wren = 0] = ['Robin', 'Wren'].map((name) => ids.get(name));
      await hub.setRules([{ species: [wren, robin], except_species: [wren] }]);
      await new SpeciesEditor({ pool: hub.database.pool, directory, notifier }).merge(wren, robin, 'test');
      const [rule] = (await openRoutes()('GET', 'alert-rules')).body;
      expect(rule).toMatchObject({ species: [robin], except_species: [robin] });
      expect((await listRules(hub.database.pool))[0]?.species).toEqual([wren, robin]);
    });

    it('beyond fifty, are refused', async () => {
      await hub.setRules(Array.from({ length: 50 }, () => ({})));
      expect(await openRoutes()('POST', 'alert-rules', { name: 'A', when: 'any_visit' })).toMatchObject({
        status: 409,
        body: { code: 'too_many_alert_rules' },
      });
    });
  });

  it('that match one visit, send one message by each channel: that of the first rule', async () => {
    await hub.setRules([{ when: 'first_ever', name: 'New' }, { when: 'any_visit' }]);
    hub.open();
    await post('Robin', noon - minute);
    await waitLogged(1);
    hub.clock.advance(hour);
    await post('Robin', hub.clock.now());
    await waitLogged(2);
    const entries = await logged();
    expect(entries.map(({ verdicts }) => verdicts.map(({ refusal }) => refusal))).toEqual([
      [null, 'other_rule'],
      ['not_first_ever', null],
    ]);
  });

  it('that name a species which was merged, apply to the species it was merged into', async () => {
    const { directory, notifier } = writerOf();
    const ids = await directory.resolve(['Robin', 'Wren']);
    const [robin = 0, wren = 0] = ['Robin', 'Wren'].map((name) => ids.get(name));
    await hub.setRules([{ species: [wren] }, { except_species: [wren] }]);
    await new SpeciesEditor({ pool: hub.database.pool, directory, notifier }).merge(wren, robin, 'test');
    hub.open();
    await post('Robin', noon - minute);
    await waitLogged(1);
    const [entry] = await logged();
    expect(entry?.verdicts.map(({ refusal }) => refusal)).toEqual([null, 'except_species']);
    const [named, excepted] = await listRules(hub.database.pool);
    if (!named || !excepted) throw new Error('the rules are missing');
    const deps = {
      pool: hub.database.pool,
      tree: await directory.tree(),
      settings: defaultSettings('UTC'),
      base: { baseUrl: '', basePath: '' },
      now: noon,
    };
    expect((await previewRule(deps, named, 1)).would_send).toBe(1);
    expect((await previewRule(deps, excepted, 1)).would_send).toBe(0);
  });

  it('about a silent detector, in a preview observe weekdays, hours, quiet hours and limits', async () => {
    const midnight = noon - 12 * hour;
    // Silent on Saturday from 04:00 to 05:00, 06:00 to 07:00 and 08:00 to 09:00.
    const uptimes = [
      [-30 * hour, -20 * hour],
      [-19 * hour, -18 * hour],
      [-17 * hour, -16 * hour],
      [-15 * hour, 12 * hour],
    ] as const;
    for (const [from, to] of uptimes)
      await hub.database.pool.query('INSERT INTO processor_uptime (started_at, ended_at) VALUES ($1, $2)', [
        new Date(midnight + from),
        new Date(midnight + to),
      ]);
    const deps = {
      pool: hub.database.pool,
      tree: await writerOf().directory.tree(),
      settings: defaultSettings('UTC'),
      base: { baseUrl: '', basePath: '' },
      now: noon,
    };
    const rule = { ...ruleDefaults, name: 'a', when: 'detector_silent', silent_minutes: 30 } as const;
    const count = async (change: Partial<AlertRule>) =>
      (await previewRule(deps, { ...rule, cooldown_seconds: 0, ...change }, 7)).would_send;
    expect(await count({})).toBe(3);
    expect(await count({ weekdays: [7] })).toBe(0);
    expect(await count({ hours_start: '06:00', hours_end: '07:00' })).toBe(1);
    expect(await count({ quiet_hours_start: '00:00', quiet_hours_end: '06:50' })).toBe(2);
    expect(await count({ once_per: 'day' })).toBe(1);
    expect(await count({ cooldown_seconds: 3 * 3_600 })).toBe(2);
  });

  it('for three birds at once, notify once of a visit that grows to three', async () => {
    await hub.setRules([{ min_count: 3 }, { min_confidence: 0.95 }]);
    hub.open();
    const flock = (count: number, start: number) =>
      hub.post({
        start,
        detections: Array.from({ length: count }, () => aDetection({ speciesName: 'Robin' })),
      });
    const refusals = async () =>
      (await logged()).map(({ verdicts }) => verdicts.map(({ refusal }) => refusal));
    const keys = async () =>
      (await hub.database.pool.query('SELECT message_key AS key FROM notification ORDER BY id')).rows;
    const { visitIds } = await flock(1, noon - minute);
    await waitLogged(1);
    expect(await refusals()).toEqual([['count', 'confidence']]);
    await flock(3, noon - minute + 10_000);
    await vi.waitFor(async () => expect(await refusals()).toEqual([[null, 'confidence']]), {
      interval: 5,
    });
    await flock(4, noon - minute + 20_000);
    await hub.publish(true);
    await flock(1, noon - 2 * hour);
    await waitLogged(2);
    expect(await keys()).toEqual([{ key: `visit:${visitIds[0]}` }]);
  });

  it('once per day, do not notify again after the visit with the message was merged into another', async () => {
    await hub.setRules([{ once_per: 'day' }]);
    hub.open();
    const robin = (start: number, endOffset: number) =>
      hub.post({ start, end: start + 60_000, detections: [aDetection({ speciesName: 'Robin', endOffset })] });
    const start = noon - 30 * minute;
    await robin(start, 10);
    await waitLogged(1);
    const later = await robin(start + 2 * minute, 40);
    await waitLogged(2);
    const between = await robin(start + 40_000, 50);
    expect(between.visitIds).toEqual(later.visitIds);
    await robin(start + 10 * minute, 10);
    await waitLogged(3);
    const notified = (await logged()).map((entry) => entry.notified);
    expect(notified.filter(Boolean)).toHaveLength(1);
  });

  it('with notify_corrections, notify of a correction once', async () => {
    await hub.setRules([{ when: 'any_visit', notify_corrections: true }]);
    hub.open();
    const { visitIds } = await post('Robin', noon - minute);
    await waitLogged(1);
    const { writer, directory } = writerOf();
    const wren = (await directory.resolve(['Wren'])).get('Wren') ?? 0;
    const { rows } = await hub.database.pool.query('SELECT id FROM detection WHERE visit_id = $1', [
      visitIds[0],
    ]);
    const { rows: before } = await hub.database.pool.query('SELECT id FROM outbox ORDER BY id DESC LIMIT 1');
    await writer.correct({ detectionId: rows[0].id, speciesId: wren, scope: 'visit' }, testAuthor);
    await hub.publishCorrections(before[0].id);
    await hub.publishCorrections(before[0].id);
    const titles = async () =>
      (await hub.database.pool.query(`SELECT message ->> 'title' AS title FROM notification ORDER BY id`))
        .rows;
    await vi.waitFor(async () => expect(await titles()).toHaveLength(2), { interval: 10 });
    expect((await titles())[1]).toEqual({ title: expect.stringMatching(/Wren/) });
  });

  it('with "first of", agree with a reference over random histories that arrive in any order', async () => {
    const when = fc.constantFrom(
      'first_ever',
      'first_of_day',
      'returns_after',
      'first_of_season',
      'first_of_year',
    );
    const visit = fc.record({
      species: fc.constantFrom('Robin', 'Wren'),
      hoursLate: fc.integer({ min: 0, max: 20 }),
      stepHours: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(when, fc.array(visit, { minLength: 3, maxLength: 8 }), async (trigger, visits) => {
        await hub.database.pool.query('TRUNCATE alert_log, notification CASCADE');
        await hub.database.pool.query(
          'TRUNCATE video, species_visit, visit_day, visit_month, species_total CASCADE',
        );
        await hub.setRules([{ when: trigger, after_days: 2 }]);
        const process = hub.open();
        const arrived: { species: string; at: number; notified: boolean }[] = [];
        for (const [index, { species, hoursLate, stepHours }] of visits.entries()) {
          hub.clock.advance(stepHours * hour);
          const at = hub.clock.now() - hoursLate * hour - index * 1_000;
          const same = arrived.filter((one) => one.species === species);
          // Two within the gap are one visit.
          if (same.some((one) => Math.abs(one.at - at) < 5 * minute)) continue;
          await post(species, at);
          await waitLogged(arrived.length + 1);
          arrived.push({ species, at, notified: referenceNotifies(trigger, at, same) });
        }
        await process.close();
        expect((await logged()).map(({ notified }) => notified)).toEqual(
          arrived.map(({ notified }) => notified),
        );
      }),
      { numRuns: 4 },
    );
  });

  it('in a preview, match what was sent', async () => {
    const triggers = ['any_visit', 'first_ever', 'first_of_day', 'rare_here', 'returns_after'] as const;
    const species = ['Robin', 'Wren', 'Great Tit'];
    await hub.setRules(
      triggers.map((when) => ({
        when,
        once_per: when === 'any_visit' ? 'week' : null,
        after_days: 2,
        rare_days: 1,
      })),
    );
    hub.open();
    const [random] = fc.sample(
      fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 30 })), { minLength: 14, maxLength: 14 }),
      1,
    );
    let count = 0;
    for (const [kind, hours] of random ?? []) {
      hub.clock.advance(hours * hour);
      await post(species[kind] ?? '', hub.clock.now());
      count += 1;
      await waitLogged(count);
    }
    const sent = (await logged()).map(({ verdicts }) =>
      verdicts.map(({ refusal }) => refusal === null || refusal === 'other_rule'),
    );
    const tree = await writerOf().directory.tree();
    const settings = defaultSettings('UTC');
    Object.assign(settings.notifications, { cooldown_seconds: 0 });
    const deps = {
      pool: hub.database.pool,
      tree,
      settings,
      base: { baseUrl: '', basePath: '' },
      now: hub.clock.now() + 1,
    };
    for (const [index, when] of triggers.entries()) {
      // A rule whose message was sent by another rule has no message of its own to count from.
      if (when === 'any_visit') continue;
      const rule = { ...ruleDefaults, name: when, when, after_days: 2, rare_days: 1 };
      const { would_send } = await previewRule(deps, rule, 92);
      expect([when, would_send]).toEqual([when, sent.filter((verdicts) => verdicts[index]).length]);
    }
    const first = { ...ruleDefaults, name: 'a', when: 'any_visit', once_per: 'week' } as const;
    expect((await previewRule(deps, first, 92)).would_send).toBe(
      sent.filter((verdicts) => verdicts[0]).length,
    );
  });
});

const afterDays = 2;

/** Whether the rule matches a visit, given all earlier visits of its species. */
function referenceNotifies(
  trigger: string,
  at: number,
  same: readonly { at: number; notified: boolean }[],
): boolean {
  const day = localDay('UTC', at);
  const dayNumber = (instant: number) => Math.floor(instant / 86_400_000);
  const apart = (other: number) => Math.abs(dayNumber(at) - dayNumber(other));
  const earlier = same.filter((one) => one.at < at);
  const notified = same.filter((one) => one.notified);
  const inPeriod = (other: number): boolean => {
    if (trigger === 'first_ever') return true;
    if (trigger === 'first_of_day') return localDay('UTC', other) === day;
    if (trigger === 'first_of_year') return localDay('UTC', other).slice(0, 4) === day.slice(0, 4);
    return apart(other) < afterDays;
  };
  if (trigger === 'returns_after' && earlier.length === 0) return false;
  return !earlier.some((one) => inPeriod(one.at)) && !notified.some((one) => inPeriod(one.at));
}
