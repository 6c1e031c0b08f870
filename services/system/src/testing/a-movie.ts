/** A box of ISO/IEC 14496-12. */
function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** Returns a minimal MP4 file with a duration, and a creation time (ms) if given. */
export function aMovie({ seconds = 10, createdAt = 0, wide = false } = {}): Buffer {
  const created = createdAt === 0 ? 0 : (createdAt - Date.UTC(1904, 0, 1)) / 1000;
  const header = Buffer.alloc(wide ? 112 : 100);
  header.writeUInt8(wide ? 1 : 0, 0);
  if (wide) header.writeBigUInt64BE(BigInt(created), 4);
  else header.writeUInt32BE(created, 4);
  header.writeUInt32BE(1_000, wide ? 20 : 12);
  if (wide) header.writeBigUInt64BE(BigInt(seconds * 1_000), 24);
  else header.writeUInt32BE(seconds * 1_000, 16);
  return Buffer.concat([
    box('ftyp', Buffer.from('isom')),
    box('mdat', Buffer.alloc(50)),
    box('moov', box('mvhd', header)),
  ]);
}
