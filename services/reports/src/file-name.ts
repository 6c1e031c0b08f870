const unsafe = /[\\/:*?"<>|\p{C}]/gu;
const atEnds = /^\.+|[. ]+$/g;
/** Names of devices, which Windows has no files of, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const maxBytes = 120;

function shorten(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > maxBytes) short = short.slice(0, -1);
  return short.toWellFormed().replace(/\ufffd$/, '');
}

/** A text as every file system takes it for a name: letters of all scripts stay, what separates or ends is `_`. */
export function toFileName(text: string): string {
  const clean = shorten(text.normalize('NFC').trim().replace(unsafe, '_')).replace(atEnds, '_');
  return clean.replace(reserved, '$&_') || '_';
}
