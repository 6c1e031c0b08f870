import { createHash } from 'node:crypto';
import {
  errorOf,
  type HubError,
  type RefusalArguments,
  type RefusalCode,
  refuse,
} from '@birdhub/shared/errors';
import { speciesKey } from './species-names.js';

/** Publishers of checklists; a loaded checklist replaces the previous one of the same publisher. */
export const CHECKLIST_SOURCES = ['avilist', 'ebird', 'ioc'] as const;

/** One of {@link CHECKLIST_SOURCES}. */
export type ChecklistSource = (typeof CHECKLIST_SOURCES)[number];

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
export const maxChecklistBytes = 64 * 1024 * 1024;
const maxRows = 60_000;
const maxCellLength = 20_000;
const maxCells = 400;
const maxNameLength = 200;

/** Returns the error of an invalid line; the whole file is then rejected. */
function brokenLine<Code extends RefusalCode>(
  line: number,
  code: Code,
  ...values: RefusalArguments<Code>
): HubError {
  return errorOf('invalid_request', refuse(`/${line}`, code, ...values));
}

/**
 * Parses a checklist from a stream; the format is detected by its header.
 * @throws HubError invalid_request, with the number of the line; upload_too_large
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
      throw brokenLine(line, 'checklist_cells', { line, cells: cells.length, expected: header.length });
    const row = readRow(format, cells, line, carried);
    if (!row) continue;
    const key = speciesKey(row.scientificName);
    const before = lineOf.get(key);
    if (before !== undefined)
      throw brokenLine(line, 'checklist_repeated', { line, name: row.scientificName, before });
    lineOf.set(key, line);
    rows.push(row);
    if (rows.length > maxRows) throw brokenLine(line, 'checklist_rows', { line, limit: maxRows });
  }
  if (!format) throw brokenLine(1, 'checklist_empty', { line: 1 });
  if (!rows.length) throw brokenLine(2, 'checklist_no_species', { line: 2 });
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
  throw brokenLine(line, 'checklist_header', { line });
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
    throw brokenLine(line, 'checklist_scientific', { line, found: JSON.stringify(scientific ?? '') });
  const names = format.names.flatMap(({ at, language, authority }): ChecklistName[] => {
    const name = cell(at);
    return name === null ? [] : [{ name, language, authority }];
  });
  if (!names.some(({ language }) => language === 'en'))
    throw brokenLine(line, 'checklist_english', { line, name: scientific });
  const code = cell(format.code);
  if (code !== null && !ebirdCode.test(code))
    throw brokenLine(line, 'checklist_code', { line, found: JSON.stringify(code) });
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
  if (/\p{Cc}/u.test(value)) throw brokenLine(line, 'checklist_control', { line });
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
  readonly line: number;
  readonly cells: readonly string[];
}

/** Magic bytes of unsupported files, and the errors for them. */
const otherStarts = [
  [[0xff, 0xfe], 'checklist_utf16'],
  [[0xfe, 0xff], 'checklist_utf16'],
  [[0x50, 0x4b, 3, 4], 'checklist_archive'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'checklist_archive'],
] as const;

/** Parses comma-, semicolon- or tab-separated values (RFC 4180), with the line number of each row. */
async function* readTable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TableRow> {
  const reader = new TableReader();
  // Invalid UTF-8 becomes a replacement character, which is reported with its line.
  const decoder = new TextDecoder('utf-8');
  let bytes = 0;
  for await (const chunk of chunks) {
    const other = bytes === 0 && otherStarts.find(([start]) => start.every((byte, at) => chunk[at] === byte));
    if (other) throw brokenLine(1, other[1], { line: 1 });
    bytes += chunk.length;
    if (bytes > maxChecklistBytes)
      throw brokenLine(reader.line, 'checklist_size', {
        line: reader.line,
        megabytes: maxChecklistBytes / 1024 ** 2,
      });
    yield* reader.read(decoder.decode(chunk, { stream: true }));
  }
  yield* reader.read(decoder.decode());
  yield* reader.end();
}

class TableReader {
  line = 1;
  #startLine = 1;
  #separator: string | undefined;
  #pending = '';
  #cells: string[] = [];
  #cell = '';
  #isQuoted = false;
  #wasQuoted = false;

  *read(text: string): Generator<TableRow> {
    let input = this.#pending + text;
    this.#pending = '';
    if (this.#separator === undefined) {
      // The separator is detected from the complete header.
      const end = input.search(/[\r\n]/u);
      if (end < 0) {
        this.#check(input);
        this.#pending = input;
        return;
      }
      this.#separator = separatorOf(input.slice(0, end));
    }
    // A trailing quote or carriage return may belong to the next character.
    let end = input.length;
    if (input.endsWith('\r')) end -= 1;
    else while (end > 0 && input.charAt(end - 1) === '"') end -= 1;
    this.#pending = input.slice(end);
    this.#check(this.#pending);
    input = input.slice(0, end);
    yield* this.#take(input);
  }

  *end(): Generator<TableRow> {
    this.#separator ??= separatorOf(this.#pending);
    const rest = this.#pending;
    this.#pending = '';
    yield* this.#take(rest);
    if (this.#isQuoted) throw brokenLine(this.#startLine, 'checklist_quote', { line: this.#startLine });
    if (this.#cells.length || this.#cell !== '') yield this.#finishRow();
  }

  *#take(input: string): Generator<TableRow> {
    for (let at = 0; at < input.length; at += 1) {
      const character = input.charAt(at);
      if (this.#isQuoted) {
        if (character === '"' && input.charAt(at + 1) === '"') {
          this.#add('"');
          at += 1;
        } else if (character === '"') this.#isQuoted = false;
        else {
          if (character === '\n') this.line += 1;
          this.#add(character);
        }
      } else if (character === '"' && this.#cell === '' && this.#separator !== '\t') {
        this.#isQuoted = true;
        this.#wasQuoted = true;
      } else if (character === this.#separator) this.#finishCell();
      else if (character === '\n' || character === '\r') {
        if (character === '\r' && input.charAt(at + 1) === '\n') at += 1;
        const row = this.#finishRow();
        this.line += 1;
        this.#startLine = this.line;
        if (row.cells.length > 1 || row.cells[0] !== '') yield row;
      } else {
        if (this.#wasQuoted) throw brokenLine(this.line, 'checklist_after_quote', { line: this.line });
        this.#add(character);
      }
    }
  }

  #add(character: string): void {
    if (character === '\ufffd') throw brokenLine(this.line, 'checklist_utf8', { line: this.line });
    if (character === '\0') throw brokenLine(this.line, 'checklist_nul', { line: this.line });
    this.#cell += character;
    this.#check(this.#cell);
  }

  #check({ length }: string): void {
    if (length > maxCellLength)
      throw brokenLine(this.#startLine, 'checklist_long_cell', {
        line: this.#startLine,
        limit: maxCellLength,
      });
  }

  #finishCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#wasQuoted = false;
    if (this.#cells.length > maxCells)
      throw brokenLine(this.#startLine, 'checklist_many_cells', { line: this.#startLine, limit: maxCells });
  }

  #finishRow(): TableRow {
    this.#finishCell();
    const row = { line: this.#startLine, cells: this.#cells };
    this.#cells = [];
    return row;
  }
}

function separatorOf(header: string): string {
  const count = (mark: string) => header.split(mark).length;
  return ['\t', ';', ','].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',');
}
