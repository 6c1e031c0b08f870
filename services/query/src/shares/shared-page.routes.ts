import { negotiateLanguage, readerLocale } from '@birdhub/domain/language';
import { allContentTypes, mediaKindOf, type PictureWidth, widthParameter } from '@birdhub/domain/media';
import type { SettingsReader } from '@birdhub/domain/settings';
import { findOpenShare, type OpenShare, readSharedDay } from '@birdhub/domain/shares';
import { access, type HubApp, publicAddress } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import { type Clock, dayWindow } from '@birdhub/shared/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import { fileResponses } from '../media-files/media.schema.js';
import type { RecordingMedia } from '../videos/recording-media.js';
import { readSharedClip, type SharedClip } from './shared-clip.store.js';
import { clipPage, dayPage, gonePage, sharedPagePolicy } from './shared-page.js';

/** Dependencies of these routes. */
export interface SharedPageDeps {
  /** Pool of the primary database, where revocations take effect first. */
  readonly pool: pg.Pool;
  readonly settings: SettingsReader;
  readonly media: RecordingMedia;
  readonly clock: Clock;
}

const params = Type.Object({ token: Type.String({ description: 'Token of the link' }) });
const common = { tags: ['sharing'], security: access.open, params };
const html = (description: string) => ({ description, content: { 'text/html': { schema: Type.String() } } });

const schemas = {
  page: {
    ...common,
    operationId: 'getSharedPage',
    summary: 'Get the page of a shared link',
    description:
      'Requires no session, even when the hub is protected by a password. The page is in the language of ' +
      'the browser, or else in the language of the link, and has a picture for previews. Returns 404 (for ' +
      'browsers, as a page) when the link is not valid: when it has expired or was revoked, when its ' +
      'recording was deleted, or while sharing is disabled.',
    response: { 200: html('The page') },
  },
  media: {
    ...common,
    operationId: 'getSharedMedia',
    summary: 'Stream the recording of a shared link',
    response: fileResponses(allContentTypes),
  },
  picture: {
    ...common,
    operationId: 'getSharedPicture',
    summary: 'Get the poster of the recording of a shared link',
    description:
      'Returns the spectrogram when the recording has only sound. With `width`, returns a smaller copy of ' +
      'the poster as WebP.',
    querystring: Type.Object({ width: widthParameter }),
    response: fileResponses(['image/jpeg', 'image/png', 'image/webp']),
  },
};

const limits = { page: { max: 60, windowSeconds: 60 }, files: { max: 600, windowSeconds: 60 } };
const method = ['GET', 'HEAD'];

/** `GET /s/:token`, `GET /s/:token/media`, `GET /s/:token/picture`: only the content of the link. */
export function sharedPageRoutes(app: HubApp, deps: SharedPageDeps): void {
  const { pool, settings, media, clock } = deps;

  app.route<{ Params: { token: string } }>({
    method,
    url: '/s/:token',
    schema: schemas.page,
    config: { limit: limits.page },
    handler: async (request, reply) => {
      const share = await findOpenShare(pool, request.params.token, clock.now());
      const page = share && (await renderPage(deps, request, share));
      if (page !== undefined) return setPageHeaders(reply).send(page);
      if (!request.headers.accept?.includes('text/html')) throw new HubError('share_not_found');
      const { general } = await settings.current();
      const language = negotiateLanguage(request.headers['accept-language'], general.language);
      return setPageHeaders(reply)
        .code(404)
        .send(gonePage({ language, hub: general.app_name }));
    },
  });

  app.route<{ Params: { token: string } }>({
    method,
    url: '/s/:token/media',
    schema: schemas.media,
    config: { limit: limits.files },
    handler: async (request, reply) => {
      const clip = await requireClip(deps, request.params.token);
      return media.sendRecording(request, setFileHeaders(reply), clip);
    },
  });

  app.route<{ Params: { token: string }; Querystring: { width?: PictureWidth } }>({
    method,
    url: '/s/:token/picture',
    schema: schemas.picture,
    config: { limit: limits.files },
    handler: async (request, reply) => {
      const { videoId, ...clip } = await requireClip(deps, request.params.token);
      setFileHeaders(reply);
      if (mediaKindOf(clip.videoPath) === 'audio')
        return media.sendSpectrogram(request, reply, videoId, clip);
      return media.sendPoster(request, reply, videoId, clip, request.query.width);
    },
  });
}

function setPageHeaders(reply: FastifyReply): FastifyReply {
  return setFileHeaders(reply).headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': sharedPagePolicy,
    'cache-control': 'no-store',
    vary: 'accept-language',
  });
}

/** The address is a secret, so it must not be indexed or sent as a referrer. */
function setFileHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' });
}

async function renderPage(
  { pool, settings }: SharedPageDeps,
  request: FastifyRequest<{ Params: { token: string } }>,
  share: OpenShare,
): Promise<string | undefined> {
  const { general, sharing, notifications } = await settings.current();
  const { token } = request.params;
  const accepted = request.headers['accept-language'];
  const language = negotiateLanguage(accepted, share.language);
  const frame = {
    language,
    locale: readerLocale(accepted, language),
    hub: general.app_name,
    zone: general.timezone,
    address: `${publicAddress(request, notifications.base_url)}/s/${token}`,
    path: `../s/${token}`,
    expiresAt: share.expiresAt,
  };
  if (share.day !== null) {
    const facts = await readSharedDay(pool, dayWindow(general.timezone, share.day));
    return facts.visits ? dayPage({ ...frame, day: share.day, place: sharing.place_name, facts }) : undefined;
  }
  const { videoPath, media, species, start } = await readSharedClip(pool, share.videoId);
  const kind = media === 'none' ? null : mediaKindOf(videoPath);
  const { time_format: timeFormat } = general;
  const { startOffset } = share;
  return clipPage({ ...frame, timeFormat, kind, media, species, start, startOffset });
}

interface RequiredClip extends SharedClip {
  readonly videoId: number;
}

/** @throws HubError share_not_found */
async function requireClip({ pool, clock }: SharedPageDeps, token: string): Promise<RequiredClip> {
  const share = await findOpenShare(pool, token, clock.now());
  if (share?.videoId == null) throw new HubError('share_not_found');
  return { ...(await readSharedClip(pool, share.videoId)), videoId: share.videoId };
}
