/** A file of an archive; its content fits into memory. */
export type Entry = { readonly name: string; readonly content: Buffer };

export const blockBytes = 512;

/** Where the fields of a header stand (POSIX ustar): offset and length. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;

type Field = keyof typeof fields;

/** The header block of a plain file that only its owner reads. */
export function toTarHeader({ name, content }: Entry, modified: Date): Buffer {
  const block = Buffer.alloc(blockBytes);
  const put = (field: Field, text: string) => void block.write(text, fields[field][0]);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  if (Buffer.byteLength(name) > fields.name[1]) throw new Error(`the name ${name} is too long`);
  put('name', name);
  put('mode', '0000600');
  put('size', octal(content.length, 11));
  put('modified', octal(Math.floor(modified.getTime() / 1000), 11));
  put('type', '0');
  put('magic', 'ustar\u000000');
  put('checksum', `${octal(checksumOf(block), 6)}\0 `);
  return block;
}

/** What a header says; undefined for the block of zeros at the end. @throws when it is no header of a plain file */
export function readTarHeader(block: Buffer): { name: string; size: number } | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const get = (field: Field) => {
    const [offset, length] = fields[field];
    return block
      .toString('utf8', offset, offset + length)
      .replace(/\0.*$/s, '')
      .trim();
  };
  const isRight = Number.parseInt(get('checksum'), 8) === checksumOf(block) && get('type') === '0';
  if (!isRight) throw new Error('something else stands where a file should begin');
  return { name: get('name'), size: Number.parseInt(get('size'), 8) };
}

/** How many bytes of nothing follow a content of so many. */
export function paddingAfter(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

// The sum of all bytes, the checksum's own taken for spaces.
function checksumOf(block: Buffer): number {
  const [offset, length] = fields.checksum;
  const sum = (from: number, to: number) => block.subarray(from, to).reduce((total, byte) => total + byte, 0);
  return sum(0, offset) + length * 0x20 + sum(offset + length, block.length);
}
