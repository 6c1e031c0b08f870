import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { HubError } from '@birdhub/shared/errors';
import type { ExpectedDigest } from './upload-headers.js';

/** Computes the digests of a received body. */
export class BodyDigests {
  readonly #expected: readonly { readonly digest: ExpectedDigest; readonly hash: Hash }[];

  constructor(digests: readonly ExpectedDigest[]) {
    this.#expected = digests.map((digest) => ({ digest, hash: createHash(digest.algorithm) }));
  }

  update(chunk: Buffer): void {
    for (const { hash } of this.#expected) hash.update(chunk);
  }

  /** @throws HubError digest_mismatch */
  require(): void {
    for (const { digest, hash } of this.#expected) {
      if (!hash.digest().equals(digest.bytes)) throw digestMismatch(digest);
    }
  }
}

/** Compares the digests of a file. @throws HubError digest_mismatch */
export async function requireDigests(handle: FileHandle, digests: readonly ExpectedDigest[]): Promise<void> {
  for (const digest of digests) {
    const found = await hashFile(handle, 0, undefined, digest.algorithm);
    if (!found.equals(digest.bytes)) throw digestMismatch(digest);
  }
}

const digestMismatch = ({ header }: ExpectedDigest) =>
  new HubError('digest_mismatch', {
    message: `${header}: does not match the received data.`,
    details: [{ path: header, message: 'does not match the received data' }],
  });

const readBytes = 262_144;

/** Returns the hash of the bytes of a file from `first` to before `end`. */
export async function hashFile(
  handle: FileHandle,
  first = 0,
  end = Number.MAX_SAFE_INTEGER,
  algorithm = 'sha256',
): Promise<Buffer> {
  const hash = createHash(algorithm);
  const buffer = Buffer.allocUnsafe(readBytes);
  for (let position = first; position < end; ) {
    const length = Math.min(readBytes, end - position);
    const { bytesRead } = await handle.read(buffer, 0, length, position);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest();
}
