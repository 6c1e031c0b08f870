import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listLog } from './alert-log.store.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('notified alerts migration, with a log and rules under the old names, keeps them under the new ones', async () => {
  const { pool, prisma } = database;
  await pool.query(`
    ALTER TABLE alert_log RENAME COLUMN notified TO told;
    INSERT INTO alert_log (subject, kind, about, logged_at, title, told, reason, verdicts) VALUES
      ('notice:1', 'notice', now(), now(), 'Great Tit', false, 'told_already', '[]'),
      ('visit:1', 'visit', now(), now(), 'Great Tit', true, NULL, '[
        {"rule_id": 2, "rule_name": "First", "told": false, "refusal": "told_before"},
        {"rule_id": 1, "rule_name": "Every", "told": true, "refusal": null}]');
    DELETE FROM alert_rule;
    INSERT INTO alert_rule (position, rule) VALUES
      (1, '{"name": "Every", "when": "any_visit"}'), (2, '{"name": "First", "tell_corrections": true}')`);
  await database.applyMigration('20261128110000_notified_alerts');
  expect(
    await listLog(prisma, { before: Number.MAX_SAFE_INTEGER, limit: 9, notified: undefined }),
  ).toMatchObject([
    {
      notified: true,
      reason: null,
      verdicts: [
        { rule_id: 2, rule_name: 'First', notified: false, refusal: 'already_sent' },
        { rule_id: 1, rule_name: 'Every', notified: true, refusal: null },
      ],
    },
    { notified: false, reason: 'already_notified', verdicts: [] },
  ]);
  expect((await pool.query('SELECT rule FROM alert_rule ORDER BY position')).rows).toEqual([
    { rule: { name: 'Every', when: 'any_visit' } },
    { rule: { name: 'First', notify_corrections: true } },
  ]);
});
