import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { ReceivedRequest } from '@birdhub/testing/stub-server';

const point = (key: Buffer) => ({
  kty: 'EC',
  crv: 'P-256',
  x: key.subarray(1, 33).toString('base64url'),
  y: key.subarray(33).toString('base64url'),
});

/** Returns the claims of a request's VAPID token (RFC 8292); undefined when it is not signed with the key. */
export function readVapid(
  { headers }: Pick<ReceivedRequest, 'headers'>,
  publicKey: string,
): Record<string, unknown> | undefined {
  const [, token = '', k] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const key = createPublicKey({ key: point(Buffer.from(publicKey, 'base64url')), format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const received = Buffer.from(signature, 'base64url');
  const isValid = k === publicKey && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, received);
  return isValid ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined;
}

/** Creates a browser that subscribes and decrypts the messages of its push service. */
export function createTestBrowser(endpoint: string) {
  const own = createECDH('prime256v1');
  const publicKey = own.generateKeys();
  const auth = randomBytes(16);

  /** Decrypts a single record (RFC 8188, RFC 8291). */
  function read({ body }: Pick<ReceivedRequest, 'body'>): Record<string, unknown> {
    const salt = body.subarray(0, 16);
    const senderKey = body.subarray(21, 21 + body.readUInt8(20));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
    const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(senderKey), auth, info, 32));
    const derive = (purpose: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${purpose}\0`, length));
    const sealed = body.subarray(21 + senderKey.length);
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }

  const subscription = {
    endpoint,
    p256dh: publicKey.toString('base64url'),
    auth: auth.toString('base64url'),
  };
  return { subscription, read };
}
