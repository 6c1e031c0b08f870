import { secretsConfigOf } from '@birdhub/launcher/options';
import { openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { openSecretBox } from '@birdhub/shared/secrets';
import { aDetection, aRecording, createTestWriter } from '@birdhub/testing';
import type { StoredHub } from './stored-hub.js';

/** Posts recordings of a minute each, sequentially and without a pause, until `isOver` returns true. */
export async function post({ url }: StoredHub, isOver: (posted: number) => boolean): Promise<number> {
  const database = openDatabase({ url, max: 4, name: 'writer', log: createLog('test', 'silent') });
  const { writer } = createTestWriter(database.pool);
  const names = ['Great Tit', 'Дятел "большой"', 'Tab\tand\nline\\N'];
  let posted = 0;
  for (; !isOver(posted); posted += 1) {
    const frames = [{ t: 0.5, bbox: [0.1, 0.2, 0.3, 0.4] as [number, number, number, number] }];
    const detections = names.map((speciesName) => aDetection({ speciesName, frames, extra: { n: posted } }));
    await writer.post(aRecording({ start: Date.UTC(2026, 4, 1) + posted * 60_000, detections }), 'test');
  }
  await database.close();
  return posted;
}

/** Stores a secret as the hub does. */
export async function setSecret({ options, query }: StoredHub, secret: string): Promise<void> {
  const sealed = openSecretBox(secretsConfigOf(options)).seal(secret);
  await query(
    `UPDATE setting SET value = jsonb_build_object('secrets', jsonb_build_object('ebird_api_key', $1::text),
    'general', '{"settings_password": "$argon2id$hash"}'::jsonb) WHERE key = 'hub'`,
    [sealed],
  );
}

/** Returns the secret that {@link setSecret} stored, decrypted. */
export async function readSecret({ options, query }: StoredHub): Promise<unknown> {
  const [row] = await query(
    `SELECT value #>> '{secrets,ebird_api_key}' AS sealed FROM setting WHERE key = 'hub'`,
  );
  return openSecretBox(secretsConfigOf(options)).open(String(row?.['sealed']));
}

/** The encrypted values of a source: its password, and its broker address, which may contain one. */
export interface SourceSecrets {
  readonly password: string;
  readonly mqttUrl: string;
}

/** Stores a source as the hub does, with a cursor. */
export async function addSource({ options, query }: StoredHub, secrets: SourceSecrets): Promise<void> {
  const sealed = openSecretBox(secretsConfigOf(options)).seal({ ...secrets });
  await query(
    `INSERT INTO source (kind, name, url, username, credential, cursor, events)
     VALUES ('frigate', 'Garden', 'http://frigate:5000', 'hub', $1, '{"from": 7}', 3)`,
    [sealed],
  );
}

/** Returns the source that {@link addSource} stored, with its secrets decrypted. */
export async function readSource({ options, query }: StoredHub) {
  const [row] = await query('SELECT name, cursor, credential FROM source');
  const secrets = openSecretBox(secretsConfigOf(options)).open(String(row?.['credential']));
  return { name: row?.['name'], cursor: row?.['cursor'], secrets };
}
