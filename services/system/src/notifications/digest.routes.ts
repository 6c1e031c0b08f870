import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp, limits } from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import { type Clock, localDay } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';
import { composeDigest, digestFrequencies, periodBefore } from './digest.js';

const BodySchema = Type.Object(
  {
    frequency: literals(digestFrequencies, {
      description:
        'Period of the digest. `daily`: yesterday; `weekly`: the last seven days; `monthly`: the last ' +
        'calendar month',
    }),
  },
  { additionalProperties: false },
);

const PreviewSchema = Type.Object(
  {
    first_day: Type.String({ format: 'date', description: 'First day of the digest' }),
    last_day: Type.String({ format: 'date', description: 'Last day of the digest' }),
    title: Type.String({ description: 'Title of the message' }),
    body: Type.String({ description: 'Text of the message, with line breaks' }),
    detection_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the detection with the best picture; null when there is none',
    }),
  },
  { $id: 'DigestPreview' },
);

const schema = {
  operationId: 'previewDigest',
  summary: 'Preview the digest',
  description: 'Returns the digest that would be sent now. Nothing is sent.',
  tags: ['notifications'],
  security: access.admin,
  body: BodySchema,
  response: { 200: PreviewSchema },
};

/** Dependencies of this route. */
export interface DigestRoutesDeps {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly clock: Clock;
  readonly basePath: string;
}

/** `POST /digest/preview` */
export function digestRoutes(app: HubApp, { settings, clock, ...deps }: DigestRoutesDeps): void {
  const config = { limit: limits.render };
  app.post('/api/ui/digest/preview', { schema, config }, async ({ body: { frequency } }, reply) => {
    reply.header('cache-control', 'no-store');
    const current = await settings.current();
    const period = periodBefore(frequency, localDay(current.general.timezone, clock.now()));
    const { title, body, detectionId } = await composeDigest(deps, current, period);
    const days = { first_day: period.first, last_day: period.last };
    return { ...days, title, body, detection_id: detectionId ?? null };
  });
}
