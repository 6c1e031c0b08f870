const unsafe = /[\\/:*?"<>|\p{C}]/gu;
const atEnds = /^\.+|[. ]+$/g;
/** Device names, which are reserved on Windows with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const maxBytes = 120;

function shorten(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > maxBytes) short = short.slice(0, -1);
  return short.toWellFormed().replace(/\ufffd$/, '');
}

/** Converts a text to a file name that is valid on all systems: letters of all scripts stay, separators become `_`. */
export function toFileName(text: string): string {
  const clean = shorten(text.normalize('NFC').trim().replace(unsafe, '_')).replace(atEnds, '_');
  return clean.replace(reserved, '$&_') || '_';
}
