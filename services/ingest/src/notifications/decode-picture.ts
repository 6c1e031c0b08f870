import { HubError, invalidField } from '@birdhub/shared/errors';

const path = '/image_base64';
const longest = 4 * 1024 * 1024;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const dataUrl = /^data:image\/[a-z+.-]+;base64,/;

const signatures = [
  Buffer.from([0xff, 0xd8, 0xff]),
  Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  Buffer.from('RIFF'),
];

/**
 * The bytes of a picture in base64, with or without the head of a data URL.
 * @throws HubError naming `/image_base64`
 */
export function decodePicture(text: string): Buffer {
  const body = text.replace(dataUrl, '').replaceAll(/\s/g, '');
  if (!base64.test(body) || body.length % 4 === 1) throw invalidField(path, 'must be base64');
  const picture = Buffer.from(body, 'base64');
  if (picture.length > longest) {
    throw new HubError('payload_too_large', { details: [{ path, message: 'must be at most 4 MB' }] });
  }
  if (!signatures.some((signature) => picture.subarray(0, signature.length).equals(signature))) {
    throw invalidField(path, 'must be a JPEG, PNG or WebP picture');
  }
  return picture;
}
