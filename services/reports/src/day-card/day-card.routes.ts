import { type HubLanguage, hubLanguages, negotiateLanguage } from '@birdhub/domain/language';
import type { SettingsReader } from '@birdhub/domain/settings';
import { findOpenShare, readSharedDay } from '@birdhub/domain/shares';
import {
  access,
  type HubApp,
  isUnlocked,
  isUnmodified,
  limits,
  unlessDisconnected,
} from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { type Clock, dayWindow, isDay } from '@birdhub/shared/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import type { DayCard, DayCards } from './day-cards.js';
import { type CardShape, cardShapes } from './lay-out-card.js';

/** Dependencies of these routes. */
export interface DayCardDeps {
  /** Pool of the primary database, where revocations take effect first. */
  readonly pool: pg.Pool;
  readonly readPool: pg.Pool;
  readonly settings: SettingsReader;
  readonly dayCards: DayCards;
  readonly clock: Clock;
}

const png = Type.Unsafe<never>({ type: 'string', format: 'binary' });
const shape = Type.Optional(
  literals([...cardShapes], {
    default: 'landscape',
    description: '`landscape`: 1200 × 630 pixels, the size of link previews; `portrait`: 1080 × 1350 pixels',
  }),
);
const response = {
  200: { description: 'The card as PNG', content: { 'image/png': { schema: png } } },
};

const cardSchema = {
  operationId: 'getDayCard',
  summary: 'Get the card of a day as PNG',
  description:
    'The card shows the date, species, counts and best pictures of a day, for sharing, with the place name ' +
    'from `sharing.place_name`. With `general.require_auth_for_video_stream`, only an unlocked hub shows whole ' +
    'frames where there are no crops. Returns 404 when there were no birds on that day.',
  tags: ['sharing'],
  security: access.open,
  querystring: Type.Object({
    date: Type.String({ maxLength: 10, description: 'Day as `YYYY-MM-DD` in the time zone of the hub' }),
    language: Type.Optional(
      literals([...hubLanguages], {
        description: 'Language of the card; defaults to the language of the client, else of the hub',
      }),
    ),
    shape,
  }),
  response,
};

const sharedSchema = {
  operationId: 'getSharedCard',
  summary: 'Get the card of a shared link',
  description: 'Returns the card of the shared day.',
  tags: ['sharing'],
  security: access.open,
  params: Type.Object({ token: Type.String({ description: 'Token of the link' }) }),
  querystring: Type.Object({
    language: Type.Optional(
      literals([...hubLanguages], {
        description: 'Language of the card; defaults to the language of the link',
      }),
    ),
    shape,
  }),
  response,
};

interface Subject {
  readonly day: string;
  readonly language: HubLanguage;
  readonly shape: CardShape;
  /** Whether the card may show whole frames even if the settings protect recordings. */
  readonly isUnlocked: boolean;
}

/** `GET /day-card`, `GET /s/:token/card.png` */
export function dayCardRoutes(app: HubApp, deps: DayCardDeps): void {
  const { pool, readPool, settings, dayCards, clock } = deps;
  const config = { limit: limits.render };

  /** Draws a card. @throws HubError share_not_found without a visit */
  async function draw(
    { day, language, shape, isUnlocked }: Subject,
    from: pg.Pool,
    signal: AbortSignal,
  ): Promise<DayCard> {
    const { general, sharing } = await settings.current();
    const window = dayWindow(general.timezone, day);
    const facts = await readSharedDay(from, window);
    if (!facts.visits) throw new HubError('nothing_on_day');
    const content = { shape, language, day, hub: general.app_name, place: sharing.place_name, facts };
    const mayShowFrames = isUnlocked || !general.require_auth_for_video_stream;
    return dayCards.get({ content, window, mayShowFrames }, signal);
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/ui/day-card',
    schema: cardSchema,
    config,
    handler: async (request, reply) => {
      const { date, shape = 'landscape' } = request.query;
      if (!isDay(date)) throw invalidField('date', 'must be a calendar day YYYY-MM-DD');
      const { general } = await settings.current();
      const { language = negotiateLanguage(request.headers['accept-language'], general.language) } =
        request.query;
      const subject = { day: date, language, shape, isUnlocked: isUnlocked(request) };
      return send(request, reply, (signal) => draw(subject, readPool, signal));
    },
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/s/:token/card.png',
    schema: sharedSchema,
    config,
    handler: async (request, reply) => {
      const share = await findOpenShare(pool, request.params.token, clock.now());
      if (share?.day == null) throw new HubError('share_not_found');
      const { day } = share;
      const { shape = 'landscape', language = negotiateLanguage(undefined, share.language) } = request.query;
      reply.headers({ 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' });
      // A person has shared this day, so whole frames are allowed.
      const subject = { day, language, shape, isUnlocked: true };
      return send(request, reply, (signal) => draw(subject, pool, signal));
    },
  });
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  draw: (signal: AbortSignal) => Promise<DayCard>,
): Promise<FastifyReply> {
  const work = async (signal: AbortSignal) => {
    const { bytes, etag } = await draw(signal);
    reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'accept-language' });
    if (isUnmodified(request, reply)) return reply.code(304).send();
    reply.type('image/png').header('content-length', bytes.length);
    return request.method === 'HEAD' ? reply.send() : reply.send(bytes);
  };
  return unlessDisconnected(reply, work, request.signal);
}
