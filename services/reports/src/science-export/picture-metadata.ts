import { formatOffset, offsetMs } from '@birdhub/shared/time';
import { xml } from './xml.js';

/** The metadata of a published picture. */
export interface PictureFacts {
  /** When it was taken, in ms since the epoch, and the time zone. */
  readonly takenAt: number;
  readonly zone: string;
  /** Undefined when the identification is uncertain. */
  readonly scientificName: string | undefined;
  readonly commonName: string | undefined;
  readonly description: string;
  /** Undefined when the location of the hub is not set. */
  readonly place: PicturePlace | undefined;
  readonly rightsHolder: string;
  /** The URL of its licence. */
  readonly licence: string;
}

/** The published location of a picture. */
export interface PicturePlace {
  readonly latitude: number;
  readonly longitude: number;
  /** In metres. */
  readonly uncertainty: number;
  readonly name: string;
}

/**
 * Writes metadata to EXIF, XMP and IPTC of a JPEG; the picture itself is not changed.
 * @throws Error when the bytes are not a JPEG
 */
export function tagPicture(jpeg: Buffer, facts: PictureFacts): Buffer {
  if (jpeg.readUInt16BE(0) !== startOfImage) throw new Error('the picture is not a JPEG');
  // The JFIF segment must come first.
  const head = jpeg.readUInt16BE(2) === app0 ? 4 + jpeg.readUInt16BE(4) : 2;
  return Buffer.concat([
    jpeg.subarray(0, head),
    segment(app1, 'Exif\0\0', exifOf(facts)),
    segment(app1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.from(xmpOf(facts))),
    segment(app13, 'Photoshop 3.0\0', photoshopResource(iptcResource, iptcOf(facts))),
    jpeg.subarray(head),
  ]);
}

const startOfImage = 0xffd8;
const app0 = 0xffe0;
const app1 = 0xffe1;
const app13 = 0xffed;

function segment(marker: number, name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(marker, 0);
  head.writeUInt16BE(2 + name.length + content.length, 2);
  return Buffer.concat([head, Buffer.from(name, 'latin1'), content]);
}

/** Truncates a text to a number of bytes on one line, without splitting characters. */
function shorten(text: string, maxBytes: number): string {
  let short = text
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
  if (Buffer.byteLength(short) > maxBytes) short = Buffer.from(short).toString('utf8', 0, maxBytes);
  return short.replace(/\ufffd{1,3}$/u, '').trim();
}

const maxTextBytes = 2_000;

/** Returns the parts of a local time: `2026-05-01`, `08:15:00`, `250` and `+02:00`. */
function localParts({ takenAt, zone }: PictureFacts) {
  const offset = offsetMs(zone, takenAt);
  const local = new Date(takenAt + offset).toISOString();
  return {
    day: local.slice(0, 10),
    time: local.slice(11, 19),
    milliseconds: local.slice(20, 23),
    offset: formatOffset(offset),
  };
}

/** EXIF types: code and size of a value in bytes. */
const types = { byte: [1, 1], ascii: [2, 1], long: [4, 4], rational: [5, 8], undefined: [7, 1] } as const;

interface Entry {
  readonly tag: number;
  readonly type: keyof typeof types;
  readonly value: Buffer;
}

const ascii = (tag: number, value: string): Entry => ({
  tag,
  type: 'ascii',
  // The standard requires ASCII, but programs use UTF-8.
  value: Buffer.from(`${shorten(value, maxTextBytes)}\0`),
});

const rational = (tag: number, ...fractions: readonly (readonly [number, number])[]): Entry => {
  const value = Buffer.alloc(fractions.length * 8);
  fractions.forEach(([numerator, denominator], index) => {
    value.writeUInt32BE(numerator, index * 8);
    value.writeUInt32BE(denominator, index * 8 + 4);
  });
  return { tag, type: 'rational', value };
};

const pointer = (tag: number, offset: number): Entry => {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(offset);
  return { tag, type: 'long', value };
};

const secondParts = 10_000;

/** Converts to unsigned degrees, minutes and seconds. */
function sexagesimal(degrees: number) {
  const units = Math.round(Math.abs(degrees) * 3_600 * secondParts);
  const minutes = Math.floor(units / (60 * secondParts));
  return [
    [Math.floor(minutes / 60), 1],
    [minutes % 60, 1],
    [units % (60 * secondParts), secondParts],
  ] as const;
}

function gpsEntries({ latitude, longitude, uncertainty }: PicturePlace): Entry[] {
  return [
    { tag: 0x00, type: 'byte', value: Buffer.from([2, 3, 0, 0]) },
    ascii(0x01, latitude < 0 ? 'S' : 'N'),
    rational(0x02, ...sexagesimal(latitude)),
    ascii(0x03, longitude < 0 ? 'W' : 'E'),
    rational(0x04, ...sexagesimal(longitude)),
    ascii(0x12, 'WGS-84'),
    rational(0x1f, [Math.round(uncertainty), 1]),
  ];
}

/** Returns an EXIF directory for an offset: its entries, followed by values longer than four bytes. */
function directory(entries: readonly Entry[], offset: number): Buffer {
  const table = Buffer.alloc(2 + entries.length * 12 + 4);
  const long: Buffer[] = [];
  let end = offset + table.length;
  table.writeUInt16BE(entries.length, 0);
  for (const [index, { tag, type, value }] of entries.entries()) {
    const at = 2 + index * 12;
    const [code, size] = types[type];
    table.writeUInt16BE(tag, at);
    table.writeUInt16BE(code, at + 2);
    table.writeUInt32BE(value.length / size, at + 4);
    if (value.length <= 4) value.copy(table, at + 8);
    else {
      table.writeUInt32BE(end, at + 8);
      const even = Buffer.alloc(value.length + (value.length % 2));
      value.copy(even);
      long.push(even);
      end += even.length;
    }
  }
  return Buffer.concat([table, ...long]);
}

function exifOf(facts: PictureFacts): Buffer {
  const { day, time, milliseconds, offset } = localParts(facts);
  const taken = `${day.replaceAll('-', ':')} ${time}`;
  const photo: Entry[] = [
    { tag: 0x9000, type: 'undefined', value: Buffer.from('0232') },
    ascii(0x9003, taken),
    ascii(0x9004, taken),
    ascii(0x9011, offset),
    ascii(0x9012, offset),
    ascii(0x9291, milliseconds),
  ];
  const header = Buffer.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8]);
  const main = (photoAt: number, gpsAt: number) =>
    directory(
      [
        ascii(0x010e, facts.description),
        ascii(0x0131, 'Birdhub'),
        ascii(0x013b, facts.rightsHolder),
        ascii(0x8298, rightsOf(facts)),
        pointer(0x8769, photoAt),
        ...(facts.place ? [pointer(0x8825, gpsAt)] : []),
      ],
      header.length,
    );
  // The length of the first directory does not depend on the offsets of the others.
  const photoAt = header.length + main(0, 0).length;
  const photoBytes = directory(photo, photoAt);
  const gpsAt = photoAt + photoBytes.length;
  const gpsBytes = facts.place ? directory(gpsEntries(facts.place), gpsAt) : Buffer.alloc(0);
  return Buffer.concat([header, main(photoAt, gpsAt), photoBytes, gpsBytes]);
}

const rightsOf = ({ rightsHolder, licence }: PictureFacts) => `© ${rightsHolder}, ${licence}`;

const keywordsOf = ({ scientificName, commonName }: PictureFacts) =>
  [scientificName, commonName].filter((name) => name !== undefined);

function xmpOf(facts: PictureFacts): string {
  const { day, time, offset } = localParts(facts);
  const value = (text: string) => xml(shorten(text, maxTextBytes));
  const list = (element: string, kind: 'Bag' | 'Seq', items: readonly string[]) =>
    items.length
      ? `<${element}><rdf:${kind}>${items.map((item) => `<rdf:li>${value(item)}</rdf:li>`).join('')}</rdf:${kind}></${element}>`
      : '';
  const inLanguage = (element: string, text: string | undefined) =>
    text === undefined
      ? ''
      : `<${element}><rdf:Alt><rdf:li xml:lang="x-default">${value(text)}</rdf:li></rdf:Alt></${element}>`;
  const created = `${day}T${time}${offset}`;
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    ' xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"',
    ' xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/">',
    inLanguage('dc:title', facts.scientificName),
    inLanguage('dc:description', facts.description),
    list('dc:subject', 'Bag', keywordsOf(facts)),
    list('dc:creator', 'Seq', [facts.rightsHolder]),
    inLanguage('dc:rights', rightsOf(facts)),
    `<xmpRights:WebStatement>${value(facts.licence)}</xmpRights:WebStatement>`,
    `<xmp:CreateDate>${created}</xmp:CreateDate><photoshop:DateCreated>${created}</photoshop:DateCreated>`,
    facts.place?.name ? `<Iptc4xmpCore:Location>${value(facts.place.name)}</Iptc4xmpCore:Location>` : '',
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>',
  ].join('');
}

const iptcResource = 0x0404;

/** Returns an unnamed Photoshop resource block, which contains IPTC. */
function photoshopResource(id: number, content: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.write('8BIM', 'latin1');
  head.writeUInt16BE(id, 4);
  head.writeUInt32BE(content.length, 8);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function dataset(record: number, number: number, value: Buffer): Buffer {
  const head = Buffer.from([0x1c, record, number, 0, 0]);
  head.writeUInt16BE(value.length, 3);
  return Buffer.concat([head, value]);
}

function iptcOf(facts: PictureFacts): Buffer {
  const { day, time, offset } = localParts(facts);
  const field = (number: number, text: string | undefined, maxBytes: number) => {
    const short = shorten(text ?? '', maxBytes);
    return short ? [dataset(2, number, Buffer.from(short))] : [];
  };
  return Buffer.concat([
    // Declares UTF-8 by ISO 2022.
    dataset(1, 90, Buffer.from('\x1b%G', 'latin1')),
    dataset(2, 0, Buffer.from([0, 4])),
    ...field(5, facts.scientificName, 64),
    ...keywordsOf(facts).flatMap((keyword) => field(25, keyword, 64)),
    ...field(55, day.replaceAll('-', ''), 8),
    ...field(60, (time + offset).replaceAll(':', ''), 11),
    ...field(80, facts.rightsHolder, 32),
    ...field(92, facts.place?.name, 32),
    ...field(116, rightsOf(facts), 128),
    ...field(120, facts.description, maxTextBytes),
  ]);
}
