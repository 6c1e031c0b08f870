import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream';
import {
  errorOf,
  type HubError,
  type RefusalArguments,
  type RefusalCode,
  refuse,
} from '@birdhub/shared/errors';
import { CsvError, type Info, parse } from 'csv-parse';
import { speciesKey } from './species-names.js';

/** Publishers of checklists; a loaded checklist replaces the previous one of the same publisher. */
export const checklistSources = ['avilist', 'ebird', 'ioc'] as const;

/** One of {@link checklistSources}. */
export type ChecklistSource = (typeof checklistSources)[number];

/** Authorities of names: the publishers, and the two lists whose names AviList also contains. */
export type NameAuthority = ChecklistSource | 'clements' | 'birdlife';

/** Attribution of a source, shown with its names. */
export interface ChecklistTitle {
  readonly title: string;
  readonly licence: string;
  readonly url: string;
}

/** Titles and licences of the sources. */
export const checklistTitles: Readonly<Record<ChecklistSource, ChecklistTitle>> = {
  avilist: {
    title: 'AviList: The Global Avian Checklist (AviList Core Team)',
    licence: 'CC BY 4.0',
    url: 'https://www.avilist.org/',
  },
  ebird: {
    title: 'eBird/Clements taxonomy (Cornell Lab of Ornithology)',
    licence: 'eBird API Terms of Use',
    url: 'https://www.birds.cornell.edu/clementschecklist/',
  },
  ioc: {
    title: 'IOC World Bird List, multilingual (Gill, Donsker, Rasmussen)',
    licence: 'CC BY 4.0',
    url: 'https://www.worldbirdnames.org/',
  },
};

/** A name of a species in a language, according to an authority. */
export interface ChecklistName {
  readonly name: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly authority: NameAuthority;
}

/** A species of a checklist. */
export interface ChecklistRow {
  readonly scientificName: string;
  readonly names: readonly ChecklistName[];
  readonly ebirdCode: string | null;
  readonly order: string | null;
  readonly family: string | null;
  readonly familyName: string | null;
  /** Category on the IUCN Red List, such as `LC`. */
  readonly status: string | null;
}

/** A parsed checklist. */
export interface Checklist {
  readonly source: ChecklistSource;
  readonly rows: readonly ChecklistRow[];
}

/** Maximum size of a checklist file. */
const maxChecklistBytes = 64 * 1024 * 1024;
const maxRows = 60_000;
/** In characters. */
const maxRowLength = 100_000;
const maxNameLength = 200;

/** Returns the error of an invalid line; the whole file is then rejected. */
function brokenLine<Code extends RefusalCode>(
  line: number,
  code: Code,
  values?: Omit<NonNullable<RefusalArguments<Code>[0]>, 'line'>,
): HubError {
  const given = [{ line, ...values }] as unknown as RefusalArguments<Code>;
  return errorOf('invalid_request', refuse(`/${line}`, code, ...given));
}

/**
 * Parses a checklist from a stream; the format is detected by its header.
 * @throws HubError invalid_request, with the number of the line
 */
export async function readChecklist(chunks: AsyncIterable<Uint8Array>): Promise<Checklist> {
  let format: Format | undefined;
  let header: readonly string[] = [];
  const rows: ChecklistRow[] = [];
  const lineOf = new Map<string, number>();
  const carried: Carried = { order: null, family: null };
  for await (const { line, cells } of readTable(chunks)) {
    if (!format) {
      header = cells.map((cell) => cell.trim());
      format = detectFormat(header, line);
      continue;
    }
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (cells.length !== header.length)
      throw brokenLine(line, 'checklist_cells', { cells: cells.length, expected: header.length });
    const row = readRow(format, cells, line, carried);
    if (!row) continue;
    const key = speciesKey(row.scientificName);
    const before = lineOf.get(key);
    if (before !== undefined)
      throw brokenLine(line, 'checklist_repeated', { name: row.scientificName, before });
    lineOf.set(key, line);
    rows.push(row);
    if (rows.length > maxRows) throw brokenLine(line, 'checklist_rows', { limit: maxRows });
  }
  if (!format) throw brokenLine(1, 'checklist_empty');
  if (!rows.length) throw brokenLine(2, 'checklist_no_species');
  return { source: format.source, rows };
}

/** Returns a digest of a checklist, by which the repeated loading of the same content is recognised. */
export function digestOf({ source, rows }: Checklist): string {
  return createHash('sha256')
    .update(JSON.stringify([source, rows]))
    .digest('hex');
}

/** The column indexes of a format. */
interface Format {
  readonly source: ChecklistSource;
  readonly scientific: number;
  readonly names: readonly {
    readonly at: number;
    readonly language: string;
    readonly authority: NameAuthority;
  }[];
  readonly code?: number | undefined;
  readonly order?: number | undefined;
  readonly family?: number | undefined;
  readonly familyName?: number | undefined;
  readonly status?: number | undefined;
  /** Rows with a value other than `species` are skipped. */
  readonly rank?: number | undefined;
}

/** Values of cells that are only filled when they change, carried over from earlier rows. */
interface Carried {
  order: string | null;
  family: string | null;
}

const languages: Readonly<Record<string, string>> = {
  english: 'en',
  dutch: 'nl',
  french: 'fr',
  german: 'de',
  italian: 'it',
  polish: 'pl',
  russian: 'ru',
  spanish: 'es',
};

function detectFormat(header: readonly string[], line: number): Format {
  const names = header.map((cell) => cell.toLowerCase().replace(/[\s_]+/gu, '_'));
  const at = (pattern: RegExp) => {
    const index = names.findIndex((name) => pattern.test(name));
    return index < 0 ? undefined : index;
  };
  const english = (pattern: RegExp, authority: NameAuthority) => {
    const index = at(pattern);
    return index === undefined ? [] : [{ at: index, language: 'en', authority }];
  };
  const format = (
    source: ChecklistSource,
    scientific: number | undefined,
    more: Omit<Format, 'source' | 'scientific'>,
  ) => (scientific === undefined || !more.names.length ? undefined : { source, scientific, ...more });
  const avilist = () =>
    format('avilist', at(/^scientific_name$/u), {
      names: [
        ...english(/^english_name(?:_avilist)?$/u, 'avilist'),
        ...english(/^english_name_clements/u, 'clements'),
        ...english(/^english_name_birdlife/u, 'birdlife'),
      ],
      code: at(/cornell/u),
      order: at(/^order$/u),
      family: at(/^family$/u),
      familyName: at(/^family_english/u),
      status: at(/^iucn/u),
      rank: at(/^taxon_rank$/u),
    });
  const ebird = () =>
    format('ebird', at(/^sci(?:entific)?_name$/u), {
      names: english(/^(?:primary_com|com|common|english)_name$/u, 'ebird'),
      code: at(/^species_code$/u),
      order: at(/^order1?$/u),
      family: at(/^family(?:_sci_name)?$/u),
      familyName: at(/^family_com_name$/u),
      rank: at(/^category$/u),
    });
  const ioc = () =>
    format('ioc', at(/^ioc[_ ]?\d/u) ?? at(/^scientific_name$/u), {
      names: Object.entries(languages).flatMap(([column, language]) => {
        const index = names.indexOf(column);
        return index < 0 ? [] : [{ at: index, language, authority: 'ioc' as const }];
      }),
      order: at(/^order$/u),
      family: at(/^family$/u),
    });
  const isEbird = at(/^species_code$/u) !== undefined && at(/^category$/u) !== undefined;
  const found = isEbird ? ebird() : at(/^english_name/u) === undefined ? ioc() : avilist();
  if (found) return found;
  throw brokenLine(line, 'checklist_header');
}

const scientificName = /^[A-Z][a-z]+(?:-[a-z]+)? [a-zï]+(?:-[a-z]+)*$/u;
const ebirdCode = /^[a-z0-9-]{2,16}$/u;

function readRow(
  format: Format,
  cells: readonly string[],
  line: number,
  carried: Carried,
): ChecklistRow | undefined {
  const cell = (at: number | undefined) => (at === undefined ? null : plain(cells[at] ?? '', line) || null);
  const order = toName(cell(format.order));
  const family = cell(format.family);
  if (order !== null && order !== carried.order) Object.assign(carried, { order, family: null });
  if (family !== null) carried.family = family;
  const rank = cell(format.rank)?.toLowerCase();
  if (format.rank !== undefined && rank !== 'species') return undefined;
  const scientific = cell(format.scientific);
  // In the IOC list, families are separate rows.
  if (scientific === null && format.source === 'ioc') return undefined;
  if (scientific === null || !scientificName.test(scientific))
    throw brokenLine(line, 'checklist_scientific', { found: JSON.stringify(scientific ?? '') });
  const names = format.names.flatMap(({ at, language, authority }): ChecklistName[] => {
    const name = cell(at);
    return name === null ? [] : [{ name, language, authority }];
  });
  if (!names.some(({ language }) => language === 'en'))
    throw brokenLine(line, 'checklist_english', { name: scientific });
  const code = cell(format.code);
  if (code !== null && !ebirdCode.test(code))
    throw brokenLine(line, 'checklist_code', { found: JSON.stringify(code) });
  const { family: own, familyName } = splitFamily(carried.family, cell(format.familyName));
  return {
    scientificName: scientific,
    names,
    ebirdCode: code,
    order: carried.order,
    family: own,
    familyName,
    status: cell(format.status),
  };
}

function plain(text: string, line: number): string {
  const value = text
    .replace(/[\s\u00a0]+/gu, ' ')
    .trim()
    .normalize('NFC');
  if (/\p{Cc}/u.test(value)) throw brokenLine(line, 'checklist_control');
  return value.length > maxNameLength ? value.slice(0, maxNameLength) : value;
}

/** `STRUTHIONIFORMES` */
const toName = (text: string | null) =>
  text === null ? null : text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();

/** `Struthionidae (Ostriches)` */
function splitFamily(family: string | null, familyName: string | null) {
  const [, scientific = null, english = null] = /^(\S+) \((.+)\)$/u.exec(family ?? '') ?? [];
  return scientific === null ? { family, familyName } : { family: scientific, familyName: english };
}

interface TableRow {
  /** Number of its last line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Parses comma-, semicolon- or tab-separated values (RFC 4180). */
async function* readTable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TableRow> {
  const text = decode(chunks);
  const start = await readFirstLine(text);
  const separator = separatorOf(start);
  const options = {
    delimiter: separator,
    quote: separator === '\t' ? null : '"',
    max_record_size: maxRowLength,
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
  };
  // Errors reach the loop below.
  const parser = pipeline(concat(start, text), parse(options), () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      if (record.some((cell) => cell.includes('\0'))) throw brokenLine(info.lines, 'checklist_nul');
      if (record.some((cell) => cell.includes('\ufffd'))) throw brokenLine(info.lines, 'checklist_utf8');
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    throw error instanceof CsvError ? toHubError(error) : error;
  }
}

/** A record of the parser, with its option `info`. */
interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: Info;
}

function toHubError(error: CsvError): HubError {
  const line = Number(error['lines']);
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return brokenLine(line, 'checklist_quote');
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return brokenLine(line, 'checklist_long_row', { limit: maxRowLength });
  return brokenLine(line, 'checklist_misplaced_quote');
}

/** Magic bytes of unsupported files, and the errors for them. */
const otherStarts = [
  [[0xff, 0xfe], 'checklist_utf16'],
  [[0xfe, 0xff], 'checklist_utf16'],
  [[0x50, 0x4b, 3, 4], 'checklist_archive'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'checklist_archive'],
] as const;

/** Decodes UTF-8; invalid bytes become U+FFFD, which is reported with its line. */
async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let bytes = 0;
  let line = 1;
  let lineLength = 0;
  for await (const chunk of chunks) {
    const other = bytes === 0 && otherStarts.find(([start]) => start.every((byte, at) => chunk[at] === byte));
    if (other) throw brokenLine(1, other[1]);
    bytes += chunk.length;
    if (bytes > maxChecklistBytes)
      throw errorOf(
        'invalid_request',
        refuse('', 'checklist_size', { megabytes: maxChecklistBytes / 1024 ** 2 }),
      );
    const text = decoder.decode(chunk, { stream: true });
    const lines = text.split(/\r\n?|\n/u);
    lineLength = (lines.at(-1)?.length ?? 0) + (lines.length === 1 ? lineLength : 0);
    line += lines.length - 1;
    if (lineLength > maxRowLength) throw brokenLine(line, 'checklist_long_row', { limit: maxRowLength });
    yield text;
  }
  yield decoder.decode();
}

/** Reads until the header is complete, and returns what was read. */
async function readFirstLine(text: AsyncGenerator<string>): Promise<string> {
  let start = '';
  while (!/[\r\n]/u.test(start)) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
  }
  return start;
}

async function* concat(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

function separatorOf(text: string): string {
  const [header = ''] = text.split(/[\r\n]/u, 1);
  const count = (mark: string) => header.split(mark).length;
  return ['\t', ';', ','].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',');
}
