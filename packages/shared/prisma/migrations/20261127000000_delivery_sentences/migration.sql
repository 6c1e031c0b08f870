-- Why a message did not arrive, as codes with values that pages translate: [{"code", "values"}]. The English text stays beside it.
ALTER TABLE push_delivery ADD COLUMN sentences jsonb;
ALTER TABLE notification_channel ADD COLUMN sentences jsonb;
