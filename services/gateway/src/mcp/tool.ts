import type { TokenScope } from '@birdhub/shared/app';
import { dayMs, isDay, nextDay, startOfDay } from '@birdhub/shared/time';
import { type Static, type TObject, Type } from 'typebox';
import { HubCallError, type HubCalls, type MediaContent } from './hub-calls.js';

/** The output of a tool: the value of its output schema, and pictures, sounds and links. */
export interface ToolOutput {
  readonly value: object;
  readonly pictures?: readonly MediaContent[];
  readonly sound?: MediaContent | undefined;
  readonly links?: readonly { readonly uri: string; readonly name: string; readonly mimeType: string }[];
}

/** A tool for assistants, which calls routes of the hub. */
export interface HubTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The scope that a token needs; `admin` includes all, `review` includes `read`. */
  readonly scope: Exclude<TokenScope, 'processor'>;
  readonly input: TObject;
  readonly output: TObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
  // biome-ignore lint/suspicious/noExplicitAny: validated by the input schema.
  run(input: any, hub: HubCalls): Promise<ToolOutput>;
}

export function tool<I extends TObject>(
  given: Omit<HubTool, 'run' | 'input'> & {
    readonly input: I;
    run(input: Static<I>, hub: HubCalls): Promise<ToolOutput>;
  },
): HubTool {
  return { ...given, input: { ...given.input, additionalProperties: false } };
}

/** The hints of read-only tools. */
export const readOnlyHints = { readOnlyHint: true, openWorldHint: false } as const;

/** Default rows of a page; low, as the context of assistants is limited. */
export const defaultRows = 25;
/** Maximum rows of a page. */
export const maxRows = 100;

export const id = (description: string) => Type.Integer({ minimum: 1, maximum: 2_147_483_647, description });
export const text = (description: string) => Type.String({ description });
export const number = (description: string) => Type.Number({ description });
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });
export const day = (description: string) =>
  Type.String({
    pattern: '^(19|20|21)\\d{2}-\\d{2}-\\d{2}$',
    description: `${description}, YYYY-MM-DD in the time zone of the hub`,
  });

/** A species by name, label or id. */
export const speciesInput = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Species name in any language that the hub knows, scientific name, or id',
});
export const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: maxRows, default: defaultRows, description: 'Maximum number of rows' }),
);
export const cursor = Type.Optional(
  Type.String({ maxLength: 200, description: '`next_cursor` of the previous page' }),
);
export const nextCursor = orNull(Type.String(), 'Cursor of the next page; null on the last page');

/** A species in an output. */
export const Bird = Type.Object({
  species_id: number('Id of the species'),
  name: text('Name in the language of the hub'),
  scientific_name: orNull(Type.String(), 'Scientific name'),
});

interface NamedSpecies {
  readonly id: number;
  readonly name: string;
  readonly scientific_name: string | null;
}

export const toBird = ({ id: species_id, name, scientific_name }: NamedSpecies, hub: HubCalls) => ({
  species_id,
  name: hub.nameOf(name),
  scientific_name,
});

/** Finds a species by name, label or id. @throws HubCallError */
export async function findSpecies(
  hub: HubCalls,
  given: string,
): Promise<{ species_id: number; name: string }> {
  if (/^\d{1,9}$/.test(given)) {
    const { species } = await hub.get(`/api/ui/species/${given}/summary`);
    return { species_id: species.id, name: hub.nameOf(species.name) };
  }
  const { species_id, name } = await hub.get('/api/ui/species/resolve', { label: given });
  if (species_id === null)
    throw new HubCallError(
      `species: the hub knows none called "${given}". find_species lists those it knows.`,
    );
  return { species_id, name: hub.nameOf(name) };
}

const maxDays = 31;

/** Days as given by an assistant. */
interface GivenDays {
  readonly date?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Returns the first and last of the given days, by default today. @throws HubCallError */
export async function readDays({ date, from, to }: GivenDays, hub: HubCalls) {
  if (date !== undefined && (from !== undefined || to !== undefined))
    throw new HubCallError('date: cannot be given with `from` and `to`');
  if ((from === undefined) !== (to === undefined))
    throw new HubCallError(
      `${from === undefined ? 'from' : 'to'}: \`from\` and \`to\` must be given together`,
    );
  const single = date ?? (await hub.today());
  const [first, last] = from !== undefined && to !== undefined ? [from, to] : [single, single];
  checkPeriod(
    first,
    last,
    date === undefined ? { first: 'from', last: 'to' } : { first: 'date', last: 'date' },
  );
  return { first, last };
}

/**
 * Checks a period of days.
 * @throws HubCallError naming an argument that is not a day, or is before or too far after the other
 */
export function checkPeriod(
  first: string,
  last: string,
  names: { readonly first: string; readonly last: string },
  maxLength = maxDays,
): void {
  for (const [name, given] of [
    [names.first, first],
    [names.last, last],
  ] as const)
    if (!isDay(given)) throw new HubCallError(`${name}: there is no day ${given}`);
  if (last < first) throw new HubCallError(`${names.last}: is before \`${names.first}\``);
  if ((Date.parse(last) - Date.parse(first)) / dayMs >= maxLength)
    throw new HubCallError(`${names.last}: at most ${maxLength} days`);
}

/** Returns the query parameters of a period of days. */
export async function windowOf(first: string, last: string, hub: HubCalls) {
  const zone = await hub.zone();
  const instant = (date: string) => new Date(startOfDay(zone, date)).toISOString();
  return { start_time: instant(first), end_time: instant(nextDay(last)) };
}

/** Returns the rows of a page and the cursor of the next one. @throws HubCallError */
export function pageOf<T>(rows: readonly T[], count: number, page: string | undefined) {
  const start = startOfPage(page);
  const end = start + count;
  return { part: rows.slice(start, end), next: end < rows.length ? `from-${end}` : null };
}

/** Returns the number of rows before a page. @throws HubCallError */
export function startOfPage(page: string | undefined): number {
  const start = page === undefined ? 0 : Number(/^from-(\d{1,9})$/.exec(page)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) throw badCursor();
  return start;
}

export const badCursor = () => new HubCallError('cursor: is not a `next_cursor` of this tool');

/** Ignores the failure of an optional part of an output. */
export function ignoreRefused(error: unknown): undefined {
  if (!(error instanceof HubCallError)) throw error;
  return undefined;
}
