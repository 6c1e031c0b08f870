const headEnd = '\r\n\r\n';

/** Returns the position after the head of a part; undefined while it is incomplete. */
function endOfHead(bytes: Uint8Array): number | undefined {
  for (let at = 0; at + headEnd.length <= bytes.length; at += 1) {
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10)
      return at + headEnd.length;
  }
  return undefined;
}

function joined(one: Uint8Array<ArrayBuffer>, other: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/**
 * Returns the pictures of a `multipart/x-mixed-replace` stream whose parts state their length, as those of the hub do.
 * Unlike an `<img>`, which stays on the last picture, it shows when the stream ends.
 */
export async function* readPictures(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Blob, void> {
  const reader = stream.getReader();
  let bytes = new Uint8Array(0);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes = joined(bytes, value);
      for (let start = endOfHead(bytes); start !== undefined; start = endOfHead(bytes)) {
        const head = new TextDecoder().decode(bytes.subarray(0, start));
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1]);
        if (Number.isNaN(length)) throw new Error('a part of the stream has no length');
        if (bytes.length < start + length) break;
        yield new Blob([bytes.subarray(start, start + length)], { type: 'image/jpeg' });
        bytes = bytes.slice(start + length);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
