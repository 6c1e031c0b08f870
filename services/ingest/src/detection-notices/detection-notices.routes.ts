import { access, type HubApp } from '@birdhub/shared/app';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { Type } from 'typebox';
import { isName, isPlainText, toStorable } from '../plain-text.js';
import type { SpaceGuard } from '../space-guard.js';
import type { DetectionNotices } from './detection-notices.store.js';

const ResponseSchema = Type.Object({ message: Type.String({ description: 'Human-readable result' }) });
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }));

const detectionSchema = {
  operationId: 'notifyDetection',
  summary: 'Report a detection before its recording is finished',
  description: 'Further fields are kept, together up to 64 KB; the largest are dropped.',
  tags: ['processor'],
  security: access.processor,
  body: Type.Object(
    {
      detection: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Species name used by the processor',
      }),
      image_base64: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'JPEG, PNG or WebP picture in base64, maximum 4 MB',
        }),
      ),
      image_path: optionalText(512, 'Path of a picture in the recordings folder'),
      link: optionalText(2_000, 'URL that the notification opens'),
    },
    { additionalProperties: true },
  ),
  response: { 200: ResponseSchema },
};

const motionSchema = {
  operationId: 'notifyMotion',
  summary: 'Report motion',
  tags: ['processor'],
  security: access.processor,
  response: { 200: ResponseSchema },
};

/** Dependencies of these routes. */
interface DetectionNoticeRoutesDeps {
  readonly notices: DetectionNotices;
  readonly space: Pick<SpaceGuard, 'requireSpace'>;
}

/** `POST /notify/detections`, `POST /notify/motion` */
export function detectionNoticeRoutes(app: HubApp, { notices, space }: DetectionNoticeRoutesDeps): void {
  app.post('/notify/detections', { schema: detectionSchema, bodyLimit: 8 * 1024 * 1024 }, async (request) => {
    const { detection, image_base64, image_path, link, ...rest } = request.body;
    if (!isName(detection)) throw invalidField('/detection', 'must be a name without control characters');
    requirePlain({ image_path, link });
    space.requireSpace();
    await notices.addDetection(
      {
        speciesName: detection.trim(),
        image: image_base64 ? decodePicture(image_base64) : undefined,
        imagePath: image_path ?? null,
        link: link ?? null,
        extra: toExtra(rest),
      },
      request.id,
    );
    return { message: 'success' };
  });

  app.post('/notify/motion', { schema: motionSchema }, async (request) => {
    space.requireSpace();
    await notices.addMotion(request.id);
    return { message: 'success' };
  });
}

function requirePlain(fields: Record<string, string | null | undefined>): void {
  for (const [key, value] of Object.entries(fields)) {
    if (value && !isPlainText(value)) throw invalidField(`/${key}`, 'must not have control characters');
  }
}

const maxExtraBytes = 65_536;

/** Returns the further fields of a notice, the smallest that are together at most 64 KB; null for none. */
function toExtra(fields: object): unknown {
  const sized = Object.entries(toStorable(fields) as object).map(([key, value]) => ({
    field: [key, value] as const,
    bytes: Buffer.byteLength(key) + Buffer.byteLength(JSON.stringify(value)),
  }));
  let bytes = 0;
  const kept = sized
    .toSorted((one, other) => one.bytes - other.bytes)
    .filter((one) => {
      bytes += one.bytes;
      return bytes <= maxExtraBytes;
    });
  return kept.length ? Object.fromEntries(kept.map(({ field }) => field)) : null;
}

const maxPictureBytes = 4 * 1024 * 1024;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const dataUrl = /^data:image\/[a-z+.-]+;base64,/;

const signatures = [
  Buffer.from([0xff, 0xd8, 0xff]),
  Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  Buffer.from('RIFF'),
];

/** Decodes a base64 picture, with or without the prefix of a data URL. @throws HubError naming `/image_base64` */
function decodePicture(text: string): Buffer {
  const body = text.replace(dataUrl, '').replaceAll(/\s/g, '');
  if (!base64.test(body) || body.length % 4 === 1) throw invalidField('/image_base64', 'must be base64');
  const picture = Buffer.from(body, 'base64');
  if (picture.length > maxPictureBytes) {
    throw new HubError('payload_too_large', {
      details: [{ path: '/image_base64', message: 'must be at most 4 MB' }],
    });
  }
  if (!signatures.some((signature) => picture.subarray(0, signature.length).equals(signature))) {
    throw invalidField('/image_base64', 'must be a JPEG, PNG or WebP picture');
  }
  return picture;
}
