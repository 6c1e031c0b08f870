import { inTransaction } from '@birdhub/shared/db';
import {
  createSecretBox,
  isSealed,
  type KeyFile,
  type KeySource,
  LostKeyError,
  type SecretBox,
} from '@birdhub/shared/secrets';
import type pg from 'pg';
import type { StoredSettings } from './schema.js';
import { mapSecrets, sealStored } from './secrets.js';
import { lockSettings, writeSettings } from './settings.store.js';

/** The result of resealing all secrets. */
export interface ResealedSecrets {
  /** Number of resealed secrets. */
  readonly sealed: number;
  /** Dotted names of the secrets that cannot be opened, because their key is lost. */
  readonly lost: readonly string[];
}

/** Reseals every secret with the first key of a box, in the caller's transaction. */
export async function resealIn(client: pg.ClientBase, box: SecretBox): Promise<ResealedSecrets> {
  const { value } = await lockSettings(client);
  const lost: string[] = [];
  let sealed = 0;
  const resealed = mapSecrets(await sealStored(value, box), (secret, path) => {
    if (!isSealed(secret)) return secret;
    try {
      const resealed = box.seal(box.open(secret));
      sealed += 1;
      return resealed;
    } catch (error) {
      if (!(error instanceof LostKeyError)) throw error;
      lost.push(path.join('.'));
      return secret;
    }
  });
  await writeSettings(client, resealed as StoredSettings, false);
  for (const table of credentialTables) {
    const rows = await resealCredentials(client, box, table);
    sealed += rows.sealed;
    lost.push(...rows.lost);
  }
  return { sealed, lost };
}

/** Tables whose rows have a sealed `credential`, and the prefix of the names of these secrets in results. */
const credentialTables = [
  { table: 'source', prefix: 'sources' },
  { table: 'notification_channel', prefix: 'channels' },
] as const;

/** Reseals the credentials of a table. Other writers of credentials are excluded by the lock on the settings. */
async function resealCredentials(
  client: pg.ClientBase,
  box: SecretBox,
  { table, prefix }: (typeof credentialTables)[number],
): Promise<ResealedSecrets> {
  const { rows } = await client.query<{ id: number; name: string; credential: string }>(
    `SELECT id, name, credential FROM ${table} WHERE credential IS NOT NULL ORDER BY id FOR UPDATE`,
  );
  const lost: string[] = [];
  for (const { id, name, credential } of rows) {
    try {
      const resealed = box.seal(box.open(credential));
      await client.query(`UPDATE ${table} SET credential = $2 WHERE id = $1`, [id, resealed]);
    } catch (error) {
      if (!(error instanceof LostKeyError)) throw error;
      lost.push(`${prefix}.${name}`);
    }
  }
  return { sealed: rows.length - lost.length, lost };
}

async function dropUnusedKeys(client: pg.ClientBase, file: KeyFile, box: SecretBox): Promise<void> {
  const { value } = await lockSettings(client);
  const inUse: string[] = [];
  mapSecrets(value, (secret) => isSealed(secret) && inUse.push(secret));
  for (const { table } of credentialTables) {
    const { rows } = await client.query<{ credential: string }>(
      `SELECT credential FROM ${table} WHERE credential IS NOT NULL`,
    );
    inUse.push(...rows.map(({ credential }) => credential));
  }
  file.retain((key) => inUse.some((sealed) => box.isSealedWith(key, sealed)));
}

/** Reseals every secret with the current key. */
export function resealSecrets(pool: pg.Pool, keys: KeySource): Promise<ResealedSecrets> {
  return inTransaction(pool, (client) => resealIn(client, createSecretBox(keys)));
}

/**
 * Generates a new key, reseals every secret with it, and removes keys that are no longer used. The file contains both
 * keys until the database has committed, so that running services can open every secret at any time and no secret is
 * lost in a crash. Keys are added and removed under the lock on the settings, so rotations may run concurrently.
 */
export async function rotateSecrets(pool: pg.Pool, file: KeyFile): Promise<ResealedSecrets> {
  const box = createSecretBox(file);
  const resealed = await inTransaction(pool, async (client) => {
    await lockSettings(client);
    file.add();
    return resealIn(client, box);
  });
  await inTransaction(pool, (client) => dropUnusedKeys(client, file, box));
  return resealed;
}
