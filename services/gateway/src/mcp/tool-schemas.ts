import { Type } from 'typebox';
import type { HubCalls } from './hub-calls.js';

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
