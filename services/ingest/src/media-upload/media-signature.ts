import { extname } from 'node:path';

/** Number of bytes that {@link hasSignatureOf} needs. */
export const signatureBytes = 16;

const startsWith = (head: Buffer, text: string, at = 0) =>
  head.subarray(at, at + text.length).toString('latin1') === text;

/** First boxes of files of the MP4 family; old ones have no `ftyp`. */
const isMp4 = (head: Buffer) =>
  ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].some((box) => startsWith(head, box, 4));
const isMatroska = (head: Buffer) => startsWith(head, '\x1a\x45\xdf\xa3');
const isOgg = (head: Buffer) => startsWith(head, 'OggS');
const isJpeg = (head: Buffer) => startsWith(head, '\xff\xd8\xff');
const isRiff = (form: string) => (head: Buffer) =>
  ['RIFF', 'RF64'].some((kind) => startsWith(head, kind)) && startsWith(head, form, 8);
/** MPEG audio frames start with eleven set bits; `layer` 0 is ADTS (AAC). */
const isMpegAudio = (head: Buffer, isAac: boolean) => {
  const [first = 0, second = 0] = head;
  return first === 0xff && (second & 0xe0) === 0xe0 && ((second & 0x06) === 0) === isAac;
};

const signatures: Readonly<Record<string, (head: Buffer) => boolean>> = {
  '.mp4': isMp4,
  '.m4a': isMp4,
  '.webm': isMatroska,
  '.mkv': isMatroska,
  '.wav': isRiff('WAVE'),
  '.mp3': (head) => startsWith(head, 'ID3') || isMpegAudio(head, false),
  '.aac': (head) => startsWith(head, 'ID3') || startsWith(head, 'ADIF') || isMpegAudio(head, true),
  '.flac': (head) => startsWith(head, 'fLaC') || startsWith(head, 'ID3'),
  '.ogg': isOgg,
  '.oga': isOgg,
  '.opus': isOgg,
  '.jpg': isJpeg,
  '.jpeg': isJpeg,
  '.png': (head) => startsWith(head, '\x89PNG\r\n\x1a\n'),
  '.webp': isRiff('WEBP'),
};

/** Whether a file of this name may begin with these bytes; false for names with an unsupported extension. */
export function hasSignatureOf(path: string, head: Buffer): boolean {
  return signatures[extname(path).toLowerCase()]?.(head) ?? false;
}
