import { isTaken, type PrismaClient, type Row } from '@birdhub/shared/db';
import { HubError, type Sentence } from '@birdhub/shared/errors';
import { LostKeyError, type SecretBox } from '@birdhub/shared/secrets';
import type pg from 'pg';
import type { ChannelKindName } from './channel-kinds.js';
import { type DeliveryFailure, say, toColumns } from './delivery-failures.js';

/** The editable fields of a channel. */
export interface ChannelFields {
  readonly name: string;
  readonly enabled: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** Secrets by name, stored sealed. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A stored channel with opened secrets. */
export interface StoredChannel extends ChannelFields {
  readonly id: number;
  readonly kind: ChannelKindName;
  /** Incremented by each change. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly lastSentAt: Date | null;
  /** Why the last delivery failed; null when it did not. */
  readonly error: string | null;
  /** The same as codes with values, for translation; also null in rows of earlier versions. */
  readonly sentences: readonly Sentence[] | null;
  readonly errorAt: Date | null;
  /** Whether the secrets cannot be opened because their key is lost. */
  readonly hasLostSecrets: boolean;
}

/** Dependencies of the store. */
export interface ChannelStoreDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /** Runs work in a transaction that Prisma and SQL share. */
  readonly transaction: <T>(
    work: (scope: { readonly client: pg.PoolClient; readonly prisma: PrismaClient }) => Promise<T>,
  ) => Promise<T>;
  readonly secrets: SecretBox;
}

const maxChannels = 32;

/** The table of channels. */
export class ChannelStore {
  readonly #deps: ChannelStoreDeps;

  constructor(deps: ChannelStoreDeps) {
    this.#deps = deps;
  }

  /** Lists channels, oldest first. */
  async list(): Promise<StoredChannel[]> {
    const rows = await this.#deps.prisma.notificationChannel.findMany({ orderBy: { id: 'asc' } });
    return rows.map((row) => this.#open(row));
  }

  async find(id: number): Promise<StoredChannel | undefined> {
    const row = await this.#deps.prisma.notificationChannel.findUnique({ where: { id } });
    return row ? this.#open(row) : undefined;
  }

  /** @throws HubError channel_not_found */
  async get(id: number): Promise<StoredChannel> {
    const found = await this.find(id);
    if (!found) throw new HubError('channel_not_found');
    return found;
  }

  /** Adds a channel; returns its id. @throws HubError channel_name_taken, too_many_channels, channel_exists */
  create(kind: ChannelKindName, fields: ChannelFields): Promise<number> {
    return this.#write(async ({ notificationChannel }) => {
      if ((await notificationChannel.count()) >= maxChannels) throw new HubError('too_many_channels');
      if (kind === 'web_push' && (await notificationChannel.count({ where: { kind } })))
        throw new HubError('channel_exists');
      const data = { kind, ...this.#toRow(fields), ...(kind === 'web_push' && { origin: kind }) };
      return (await notificationChannel.create({ data, select: { id: true } })).id;
    });
  }

  /** Changes a channel unless it was changed concurrently. @throws HubError channel_name_taken, conflict */
  async update({ id, revision }: StoredChannel, fields: ChannelFields): Promise<void> {
    await this.#write(async ({ notificationChannel }) => {
      const { count } = await notificationChannel.updateMany({
        where: { id, revision },
        data: { ...this.#toRow(fields), revision: { increment: 1 }, ...toColumns(null), errorAt: null },
      });
      if (!count) throw new HubError('conflict');
    });
  }

  /** Deletes a channel; its queued messages are not sent. */
  async delete(id: number): Promise<void> {
    await this.#deps.transaction(async ({ prisma }) => {
      await prisma.pushDelivery.updateMany({
        where: { channelId: id, state: 'pending' },
        data: { state: 'failed', ...toColumns(say('channel_deleted')) },
      });
      await prisma.notificationChannel.deleteMany({ where: { id } });
    });
  }

  /** Stores or updates the channel migrated from older settings. Queued deliveries are assigned to it. */
  async storeMigrated(kind: ChannelKindName, fields: ChannelFields): Promise<void> {
    await this.#write(async ({ notificationChannel, pushDelivery }) => {
      const { name, ...row } = this.#toRow(fields);
      const before = await notificationChannel.findUnique({ where: { origin: kind } });
      if (before) {
        await notificationChannel.update({
          where: { id: before.id },
          data: { ...row, revision: { increment: 1 } },
        });
        return;
      }
      const isTaken = (await notificationChannel.count({ where: { name } })) > 0;
      const { id } = await notificationChannel.create({
        data: { ...row, kind, origin: kind, name: isTaken ? `${name} (settings)` : name },
        select: { id: true },
      });
      await pushDelivery.updateMany({ where: { channel: kind, channelId: null }, data: { channelId: id } });
    });
  }

  /** Returns the channel that was migrated from settings of a kind. */
  async findMigrated(kind: ChannelKindName): Promise<StoredChannel | undefined> {
    const row = await this.#deps.prisma.notificationChannel.findUnique({ where: { origin: kind } });
    return row ? this.#open(row) : undefined;
  }

  /** Stores the result of the last delivery. */
  async noteResult(id: number, failure: DeliveryFailure | null, at: number): Promise<void> {
    const date = new Date(at);
    const times = failure === null ? { lastSentAt: date, errorAt: null } : { errorAt: date };
    const data = { ...toColumns(failure), ...times };
    await this.#deps.prisma.notificationChannel.updateMany({ where: { id }, data });
  }

  /** Writes while key rotations are locked out, as they could remove the sealing key. */
  async #write<T>(work: (prisma: PrismaClient) => Promise<T>): Promise<T> {
    try {
      return await this.#deps.transaction(async ({ client, prisma }) => {
        await client.query(`SELECT FROM setting WHERE key = 'hub' FOR SHARE`);
        await client.query('LOCK TABLE notification_channel IN SHARE ROW EXCLUSIVE MODE');
        return work(prisma);
      });
    } catch (error) {
      throw isTaken(error) ? new HubError('channel_name_taken', { cause: error }) : error;
    }
  }

  #toRow({ name, enabled, options, secrets }: ChannelFields) {
    const credential = Object.keys(secrets).length ? this.#deps.secrets.seal({ ...secrets }) : null;
    return { name, enabled, options: JSON.parse(JSON.stringify(options)), credential };
  }

  #open(stored: Row<'NotificationChannel'>): StoredChannel {
    const { kind, options, credential, sentences, origin: _origin, ...row } = stored;
    return {
      ...row,
      ...this.#openSecrets(credential),
      kind: kind as ChannelKindName,
      options: options as Record<string, unknown>,
      sentences: sentences as unknown as readonly Sentence[] | null,
    };
  }

  #openSecrets(credential: string | null): Pick<StoredChannel, 'secrets' | 'hasLostSecrets'> {
    if (credential === null) return { secrets: {}, hasLostSecrets: false };
    try {
      const secrets = this.#deps.secrets.open(credential) as Record<string, string>;
      return { secrets, hasLostSecrets: false };
    } catch (error) {
      if (error instanceof LostKeyError) return { secrets: {}, hasLostSecrets: true };
      throw error;
    }
  }
}
