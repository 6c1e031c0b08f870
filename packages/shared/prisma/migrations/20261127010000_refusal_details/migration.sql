-- Why a message by MQTT was refused, by field and for translation: [{"path", "message", "code", "values"}].
ALTER TABLE mqtt_refusal ADD COLUMN details jsonb;
