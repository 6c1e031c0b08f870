import type { Caller } from '@birdhub/shared/app';
import { type Database, lockKeys, type Row } from '@birdhub/shared/db';
import { HubError, refused } from '@birdhub/shared/errors';
import { hashToken, newToken, tokenPattern } from '@birdhub/shared/secrets';
import { type DayWindow, dayMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { HubLanguage } from '../language/index.js';
import { readSharedDay } from './shared-day.store.js';

/** Maximum number of links of a hub. */
export const maxShares = 1_000;

/** Days for which an expired link is still listed. */
const expiredDays = 30;

/** The content of a link: a recording from a given second, or a day. */
export type ShareSubject =
  | { readonly videoId: number; readonly startOffset: number | null }
  | { readonly day: string; readonly window: DayWindow };

/** A link to be created. */
export interface NewShare {
  readonly subject: ShareSubject;
  /** The language of its page for clients without a preference. */
  readonly language: HubLanguage;
  readonly expiresAt: Date;
  readonly author: Pick<Caller, 'role' | 'token'>;
}

/** A link without the hash of its token, and what its recording shows. */
export interface ShareRow extends Omit<Row<'Share'>, 'tokenHash' | 'language'> {
  /** Start of its recording; null for a day. */
  readonly startTime: Date | null;
  /** See {@link clipSpeciesSql}; empty for a day. */
  readonly species: readonly string[];
}

/** The names of birds and other animals in a recording of `video`, in the order in which they appear, as JSON. */
export const clipSpeciesSql = `(SELECT coalesce(json_agg(name ORDER BY first, name), '[]') FROM (
    SELECT species.name, min(start_offset) AS first FROM detection JOIN species ON species.id = species_id
    WHERE video_id = video.id AND NOT generic AND species_group <> 'noise' GROUP BY species.name
  ) named)`;

interface ShareDeps {
  readonly transaction: Database['transaction'];
  readonly now: number;
}

/**
 * Stores a link and logs this. Returns its id and the token, of which only the hash is stored.
 * @throws HubError video_not_found, recording_deleted, nothing_on_day, too_many_shares, invalid_request
 */
export function createShare(
  { transaction, now }: ShareDeps,
  share: NewShare,
): Promise<{ readonly id: number; readonly token: string }> {
  const token = newToken();
  const { subject, language, expiresAt, author } = share;
  return transaction(async ({ client, prisma }) => {
    await client.query(`SELECT pg_advisory_xact_lock(${lockKeys.shares})`);
    await requireSubject(client, subject);
    await prisma.share.deleteMany({ where: { expiresAt: { lt: listedSince(now) } } });
    if ((await prisma.share.count()) >= maxShares) throw new HubError('too_many_shares');
    const content = 'day' in subject ? { day: subject.day } : toVideo(subject);
    const { id } = await prisma.share.create({
      data: { ...content, tokenHash: hashToken(token), language, createdBy: author.role, expiresAt },
      select: { id: true },
    });
    const data = { ...describeAuthor(author), id, ...describeSubject(content) };
    await prisma.activityLog.create({ data: { type: 'share_created', data } });
    return { id, token };
  });
}

function toVideo({ videoId, startOffset }: Exclude<ShareSubject, { day: string }>) {
  return { videoId, startOffset };
}

function describeSubject(content: {
  day?: string;
  videoId?: number;
}): { day: string } | { video_id: number } {
  return content.day === undefined ? { video_id: Number(content.videoId) } : { day: content.day };
}

/** Links that expired before are no longer listed. */
const listedSince = (now: number) => new Date(now - expiredDays * dayMs);

async function requireSubject(client: pg.ClientBase, subject: ShareSubject): Promise<void> {
  if ('day' in subject) {
    const { visits } = await readSharedDay(client, subject.window);
    if (!visits) throw new HubError('nothing_on_day');
    return;
  }
  // A recording that is being deleted would violate the foreign key.
  await client.query('SELECT FROM video WHERE id = $1 FOR KEY SHARE', [subject.videoId]);
  const { rows } = await client.query<{ seconds: number | null; isDeleted: boolean }>(
    `SELECT (SELECT extract(epoch FROM end_time - start_time)::float8 FROM video WHERE id = $1) AS seconds,
       EXISTS (SELECT FROM deleted_video WHERE id = $1) AS "isDeleted"`,
    [subject.videoId],
  );
  const seconds = rows[0]?.seconds ?? null;
  if (seconds === null) throw new HubError(rows[0]?.isDeleted ? 'recording_deleted' : 'video_not_found');
  if ((subject.startOffset ?? 0) > seconds) throw refused('/t', 'after_recording', { seconds });
}

const rowSql = `
  SELECT share.id, share.video_id AS "videoId", share.start_offset AS "startOffset", day, created_by AS "createdBy",
    share.created_at AS "createdAt", expires_at AS "expiresAt", video.start_time AS "startTime",
    ${clipSpeciesSql} AS species
  FROM share LEFT JOIN video ON video.id = share.video_id`;

/** Returns the links, newest first, without those that expired more than 30 days ago. */
export async function listShares(pool: pg.Pool, now: number): Promise<ShareRow[]> {
  const text = `${rowSql} WHERE expires_at >= $1 ORDER BY share.id DESC`;
  return (await pool.query<ShareRow>({ name: 'shares', text, values: [listedSince(now)] })).rows;
}

/** @throws HubError share_not_found */
export async function findShare(pool: pg.Pool, id: number): Promise<ShareRow> {
  const text = `${rowSql} WHERE share.id = $1`;
  const { rows } = await pool.query<ShareRow>({ name: 'share', text, values: [id] });
  if (!rows[0]) throw new HubError('share_not_found');
  return rows[0];
}

/**
 * Deletes a link and logs this. Links are looked up for each request, so the revocation takes effect immediately.
 * @throws HubError share_not_found
 */
export function revokeShare(
  transaction: Database['transaction'],
  id: number,
  author: NewShare['author'],
): Promise<void> {
  return transaction(async ({ prisma }) => {
    const { count } = await prisma.share.deleteMany({ where: { id } });
    if (!count) throw new HubError('share_not_found');
    const data = { ...describeAuthor(author), id };
    await prisma.activityLog.create({ data: { type: 'share_revoked', data } });
  });
}

function describeAuthor({ role, token }: NewShare['author']): { by: string; token?: string } {
  return token === undefined ? { by: role } : { by: role, token };
}

/** A valid link and its content. */
export type OpenShare = {
  readonly id: number;
  readonly language: string;
  readonly expiresAt: Date;
} & (
  | { readonly videoId: number; readonly startOffset: number | null; readonly day: null }
  | { readonly videoId: null; readonly startOffset: null; readonly day: string }
);

/** The setting is read together with the link, so that disabling sharing takes effect immediately in all processes. */
const openSql = `
  SELECT id, language, expires_at AS "expiresAt", video_id AS "videoId", start_offset AS "startOffset", day
  FROM share WHERE token_hash = $1 AND expires_at > $2 AND NOT EXISTS (
    SELECT FROM setting WHERE key = 'hub' AND value #> '{sharing,enabled}' = 'false'
  )`;

/**
 * Returns the link of a token; undefined when it is unknown, expired or revoked, when its recording was deleted, and
 * while sharing is disabled. `pool` must be that of the primary database, because a replica may not have a revocation
 * yet.
 */
export async function findOpenShare(
  pool: pg.Pool,
  token: string,
  now: number,
): Promise<OpenShare | undefined> {
  if (!tokenPattern.test(token)) return undefined;
  const values = [hashToken(token), new Date(now)];
  const { rows } = await pool.query<OpenShare>({ name: 'open-share', text: openSql, values });
  return rows[0];
}
