import type { SourceProgress } from '@birdhub/domain/sources';
import { isTaken, Prisma, type PrismaClient, type Row } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { LostKeyError, type SecretBox } from '@birdhub/shared/secrets';
import type pg from 'pg';
import { type Sentence, toEnglish } from './sentences.js';
import type { Json, SourceConfig, SourceKindName } from './source-kind.js';

/** The stored options of a source; secrets are in its credential. */
export interface StoredOptions {
  readonly mqttTopicPrefix?: string | undefined;
  readonly cameras: Readonly<Record<string, string>>;
  /** Put before the names of cameras that are not among `cameras`. */
  readonly cameraPrefix?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly minConfidence?: number | undefined;
  readonly timezone?: string | undefined;
  readonly writeBack: boolean;
}

/** The secrets of a source, stored sealed. */
export interface SourceSecrets {
  readonly password?: string | undefined;
  readonly mqttUrl?: string | undefined;
}

/** The editable fields of a source. */
export interface SourceFields {
  readonly name: string;
  readonly url: string | null;
  readonly username: string | null;
  readonly path: string | null;
  readonly options: StoredOptions;
  readonly enabled: boolean;
  readonly secrets: SourceSecrets;
}

/** A stored source with opened secrets. */
export interface StoredSource extends SourceFields, SourceProgress {
  readonly id: number;
  readonly kind: SourceKindName;
  /** Incremented by each change of a user. */
  readonly revision: number;
  readonly cursor: Json | undefined;
  readonly since: number;
  /** Names of cameras upstream. */
  readonly cameras: readonly string[];
  /** The translatable form of {@link SourceProgress.message}. */
  readonly messageSentences: readonly Sentence[] | null;
  /** Whether the secrets cannot be opened because their key is lost. */
  readonly hasLostSecrets: boolean;
}

const maxSources = 32;
/** Leaves room for the name of a camera. */
const maxPrefixLength = 32;

/** Dependencies of the store. */
export interface SourceStoreDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /** Runs work in a transaction that Prisma and SQL share. */
  readonly transaction: <T>(
    work: (scope: { readonly client: pg.PoolClient; readonly prisma: PrismaClient }) => Promise<T>,
  ) => Promise<T>;
  readonly secrets: SecretBox;
}

/** The table of sources. */
export class SourceStore {
  readonly #deps: SourceStoreDeps;

  constructor(deps: SourceStoreDeps) {
    this.#deps = deps;
  }

  async list(): Promise<StoredSource[]> {
    const rows = await this.#deps.prisma.source.findMany({
      where: { removedAt: null },
      orderBy: [{ name: 'asc' }],
    });
    return rows.map((row) => this.#open(row));
  }

  /** Returns undefined when it does not exist or was deleted. */
  async find(id: number): Promise<StoredSource | undefined> {
    const row = await this.#deps.prisma.source.findFirst({ where: { id, removedAt: null } });
    return row ? this.#open(row) : undefined;
  }

  /** @throws HubError source_not_found */
  async get(id: number): Promise<StoredSource> {
    const found = await this.find(id);
    if (!found) throw new HubError('source_not_found');
    return found;
  }

  /**
   * Adds a source, which is read from now on; returns its id. Cameras of another source of its kind may have the same
   * names, so those of this one then begin with its name.
   * @throws HubError source_name_taken, too_many_sources
   */
  create(kind: SourceKindName, fields: SourceFields): Promise<number> {
    return this.#write(async (prisma) => {
      if ((await prisma.source.count({ where: { removedAt: null } })) >= maxSources)
        throw new HubError('too_many_sources');
      const isFirst = (await prisma.source.count({ where: { kind, removedAt: null } })) === 0;
      const cameraPrefix = isFirst ? undefined : fields.name.slice(0, maxPrefixLength).toWellFormed().trim();
      const { id } = await prisma.source.create({
        data: { kind, ...this.#toRow({ ...fields, options: { ...fields.options, cameraPrefix } }) },
        select: { id: true },
      });
      return id;
    });
  }

  /**
   * Changes a source unless it was changed concurrently. @throws HubError source_not_found, source_name_taken, conflict
   */
  async update({ id, revision }: StoredSource, fields: SourceFields): Promise<void> {
    await this.#write(async (prisma) => {
      const { count } = await prisma.source.updateMany({
        where: { id, revision, removedAt: null },
        data: {
          ...this.#toRow(fields),
          revision: { increment: 1 },
          message: null,
          messageSentences: Prisma.DbNull,
        },
      });
      if (!count) throw new HubError('conflict');
    });
  }

  /** Deletes a source, or marks it for deletion after its recordings. */
  async delete({ id, name }: StoredSource, removesData: boolean): Promise<void> {
    const { prisma } = this.#deps;
    if (!removesData) {
      await prisma.source.deleteMany({ where: { id } });
      return;
    }
    await prisma.source.updateMany({
      where: { id, removedAt: null },
      // Frees the name for another source.
      data: {
        name: `${name} (${id})`,
        removedAt: new Date(),
        enabled: false,
        credential: null,
        revision: { increment: 1 },
      },
    });
  }

  /** Runs a write that excludes rotations of keys, which could remove the sealing key. */
  async #write<T>(work: (prisma: PrismaClient) => Promise<T>): Promise<T> {
    try {
      return await this.#deps.transaction(async ({ client, prisma }) => {
        await client.query(`SELECT FROM setting WHERE key = 'hub' FOR SHARE`);
        return work(prisma);
      });
    } catch (error) {
      throw isTaken(error) ? new HubError('source_name_taken', { cause: error }) : error;
    }
  }

  #toRow({ name, url, username, path, options, enabled, secrets }: SourceFields) {
    const hasSecrets = secrets.password !== undefined || secrets.mqttUrl !== undefined;
    const credential = hasSecrets ? this.#deps.secrets.seal(secrets) : null;
    return { name, url, username, path, options: JSON.parse(JSON.stringify(options)), enabled, credential };
  }

  #open(row: Row<'Source'>): StoredSource {
    const { kind, options, cursor, since, credential, messageSentences, ...rest } = row;
    return {
      ...rest,
      ...this.#openSecrets(credential),
      kind: kind as SourceKindName,
      messageSentences: messageSentences as unknown as readonly Sentence[] | null,
      options: options as unknown as StoredOptions,
      cursor: cursor === null ? undefined : (cursor as Json),
      since: since.getTime(),
    };
  }

  #openSecrets(credential: string | null): Pick<StoredSource, 'secrets' | 'hasLostSecrets'> {
    if (credential === null) return { secrets: {}, hasLostSecrets: false };
    try {
      return { secrets: this.#deps.secrets.open(credential) as SourceSecrets, hasLostSecrets: false };
    } catch (error) {
      if (error instanceof LostKeyError) return { secrets: {}, hasLostSecrets: true };
      throw error;
    }
  }
}

/** Returns the configuration of a source for its kind. */
export function toSourceConfig(
  fields: SourceFields & { readonly id?: number },
  hubZone: string,
): SourceConfig {
  const { id = 0, name, url, username, path, options, secrets } = fields;
  return {
    id,
    name,
    url: url ?? undefined,
    username: username ?? undefined,
    password: secrets.password,
    path: path ?? undefined,
    options: { ...options, mqttUrl: secrets.mqttUrl, timezone: options.timezone ?? hubZone },
  };
}

/** The outcome of contacting a source. */
export interface ContactOutcome {
  readonly id: number;
  readonly revision: number;
  /** The error messages; undefined on success. */
  readonly sentences: readonly Sentence[] | undefined;
}

/** Stores whether a source was reached, or the error. */
export async function saveContact(pool: pg.Pool, { id, revision, sentences }: ContactOutcome): Promise<void> {
  await pool.query({
    name: 'note-source-contact',
    text: `UPDATE source SET message = $3, message_said = $4, last_contact_at = CASE WHEN $3::text IS NULL THEN now() ELSE last_contact_at END
      WHERE id = $1 AND revision = $2`,
    values: [
      id,
      revision,
      sentences ? toEnglish(sentences) : null,
      sentences ? JSON.stringify(sentences) : null,
    ],
  });
}

/** An enabled source, or one whose data is to be deleted. */
export interface SourceTask {
  readonly id: number;
  readonly revision: number;
  /** Time since its deletion by a user; null when it was not deleted. */
  readonly removedMs: number | null;
}

/** Lists the sources to process. Plain SQL, as even an idle hub polls with it. */
export async function listSourceTasks(pool: pg.Pool): Promise<SourceTask[]> {
  const { rows } = await pool.query<SourceTask>({
    name: 'source-tasks',
    text: `SELECT id, revision, (extract(epoch FROM now() - removed_at) * 1000)::float8 AS "removedMs"
      FROM source WHERE enabled OR removed_at IS NOT NULL ORDER BY id`,
  });
  return rows;
}
