import { openMediaFile } from './recording-files.js';

/** Prefix of the comment of a JPEG that states the frequency at its upper edge. */
const label = 'spectrogram from 0 to kHz: ';
const comment = 0xfffe;
const jfifHead = 0xffe0;
const startOfImage = 2;
/** Size of the marker and length of a segment. */
const headBytes = 4;
/** The comment is among the first segments, all of which are short. */
const maxRead = 512;

/** Adds a comment to the JPEG of a spectrogram that states the frequency at its upper edge; its lower edge is 0 kHz. */
export function addScale(jpeg: Buffer, kilohertz: number): Buffer {
  const text = Buffer.from(`${label}${kilohertz}`, 'latin1');
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(comment);
  head.writeUInt16BE(text.length + 2, 2);
  // In JFIF, the first segment must be its own.
  const isJfif = jpeg.length > startOfImage + headBytes && jpeg.readUInt16BE(startOfImage) === jfifHead;
  const at = isJfif ? startOfImage + 2 + jpeg.readUInt16BE(startOfImage + 2) : startOfImage;
  return Buffer.concat([jpeg.subarray(0, at), head, text, jpeg.subarray(at)]);
}

/** Returns the frequency in kHz at the upper edge of a spectrogram; undefined when its file does not state it. */
export async function readScale(recordingsDir: string, path: string): Promise<number | undefined> {
  const file = await openMediaFile(recordingsDir, path);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(maxRead), 0, maxRead, 0);
    return parseScale(buffer.subarray(0, bytesRead));
  } finally {
    await file.handle.close();
  }
}

/** Returns the frequency in kHz that the first bytes of a JPEG state; undefined when they state none. */
export function parseScale(jpeg: Buffer): number | undefined {
  for (let at = startOfImage; at + headBytes <= jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg.readUInt16BE(at);
    if (marker < 0xff00) return undefined;
    const text = jpeg.subarray(at + headBytes, at + 2 + jpeg.readUInt16BE(at + 2)).toString('latin1');
    if (marker !== comment || !text.startsWith(label)) continue;
    const kilohertz = Number(text.slice(label.length));
    return kilohertz > 0 ? kilohertz : undefined;
  }
  return undefined;
}
