-- Standard names: `notified` says whether a message was sent, and rules notify of corrections.
ALTER TABLE alert_log RENAME COLUMN told TO notified;
UPDATE alert_log SET
  reason = CASE reason WHEN 'told_already' THEN 'already_notified' ELSE reason END,
  verdicts = (
    SELECT coalesce(jsonb_agg(
      jsonb_build_object(
        'rule_id', verdict -> 'rule_id',
        'rule_name', verdict -> 'rule_name',
        'notified', verdict -> 'told',
        'refusal', CASE verdict ->> 'refusal' WHEN 'told_before' THEN 'already_sent' ELSE verdict ->> 'refusal' END)
      ORDER BY position), '[]')
    FROM jsonb_array_elements(verdicts) WITH ORDINALITY AS one (verdict, position));
UPDATE alert_rule SET rule = rule - 'tell_corrections' || jsonb_build_object('notify_corrections', rule -> 'tell_corrections')
WHERE rule ? 'tell_corrections';
