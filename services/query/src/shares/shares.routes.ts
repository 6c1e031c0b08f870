import type { SettingsReader } from '@birdhub/domain/settings';
import {
  createShare,
  findShare,
  listShares,
  maxShares,
  revokeShare,
  type ShareRow,
  type ShareSubject,
} from '@birdhub/domain/shares';
import { access, authorOf, type HubApp, publicAddress } from '@birdhub/shared/app';
import type { Database } from '@birdhub/shared/db';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { type Clock, dayMs, dayWindow, isDay, localDay } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';
import { idInPath, text } from '../wire.schema.js';
import { CreatedShareSchema, type NewShareBody, NewShareSchema, ShareSchema } from './shares.schema.js';

/** Dependencies of these routes. */
export interface ShareRoutesDeps {
  /** Pool of the primary database, where revocations take effect first. */
  readonly pool: pg.Pool;
  readonly transaction: Database['transaction'];
  readonly settings: SettingsReader;
  readonly clock: Clock;
}

const contributorRoute = { tags: ['sharing'], security: access.contributor };
const params = idInPath('Id of the link');

const schemas = {
  list: {
    tags: ['sharing'],
    security: access.contributorRead,
    operationId: 'listShares',
    summary: 'List shared links',
    description: 'Returns links, newest first. Expired links are listed for 30 days.',
    response: { 200: Type.Array(ShareSchema) },
  },
  create: {
    ...contributorRoute,
    operationId: 'createShare',
    summary: 'Create a shared link',
    description:
      'Anyone who has the link can see one recording, or the species and best pictures of one day, and ' +
      'nothing else of the hub, without a password. Requires either `video_id` or `day`. A hub can have ' +
      `at most ${maxShares} links.`,
    body: NewShareSchema,
    response: { 201: CreatedShareSchema },
  },
  get: {
    tags: ['sharing'],
    security: access.contributorRead,
    operationId: 'getShare',
    summary: 'Get a shared link',
    params,
    response: { 200: ShareSchema },
  },
  revoke: {
    ...contributorRoute,
    operationId: 'revokeShare',
    summary: 'Revoke a shared link',
    description: 'The link stops working immediately.',
    params,
    response: { 200: Type.Object({ message: text('Human-readable result') }) },
  },
};

/** `GET` and `POST /shares`, `GET` and `DELETE /shares/:id` */
export function shareRoutes(app: HubApp, deps: ShareRoutesDeps): void {
  const { pool, transaction, settings, clock } = deps;
  const url = '/api/ui/shares';

  app.get(url, { schema: schemas.list }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const now = clock.now();
    return (await listShares(pool, now)).map((row) => toShare(row, now));
  });

  app.post(url, { schema: schemas.create }, async (request, reply) => {
    const { general, sharing, notifications } = await settings.current();
    if (!sharing.enabled) throw new HubError('sharing_forbidden');
    const { expires_in_days: days = 7, language = general.language } = request.body;
    const now = clock.now();
    const subject = readSubject(request.body, { zone: general.timezone, now });
    const expiresAt = new Date(now + days * dayMs);
    const share = { subject, language, expiresAt, author: authorOf(request) };
    const { id, token } = await createShare({ transaction, now }, share);
    reply.code(201).header('cache-control', 'no-store');
    const hubAddress = publicAddress(request, notifications.base_url);
    return { id, url: `${hubAddress}/s/${token}`, expires_at: expiresAt.toISOString() };
  });

  app.get(`${url}/:id`, { schema: schemas.get }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return toShare(await findShare(pool, request.params.id), clock.now());
  });

  app.delete(`${url}/:id`, { schema: schemas.revoke }, async (request) => {
    await revokeShare(transaction, request.params.id, authorOf(request));
    return { message: 'success' };
  });
}

/** @throws HubError invalid_request, naming the field */
function readSubject(
  { video_id: videoId, t, day }: NewShareBody,
  { zone, now }: { readonly zone: string; readonly now: number },
): ShareSubject {
  if (videoId !== undefined) {
    if (day !== undefined) throw invalidField('/day', 'must not be combined with video_id');
    return { videoId, startOffset: t ?? null };
  }
  if (day === undefined) throw invalidField('/video_id', 'must be set, unless day is set');
  if (t !== undefined) throw invalidField('/t', 'must not be set without video_id');
  if (!isDay(day)) throw invalidField('/day', 'must be a calendar day YYYY-MM-DD');
  if (day > localDay(zone, now)) throw invalidField('/day', 'must not be in the future');
  return { day, window: dayWindow(zone, day) };
}

function toShare(row: ShareRow, now: number) {
  return {
    id: row.id,
    video_id: row.videoId,
    t: row.startOffset,
    day: row.day,
    start_time: row.startTime?.toISOString() ?? null,
    species: [...row.species],
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    expired: row.expiresAt.getTime() <= now,
  };
}
