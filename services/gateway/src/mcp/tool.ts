import type { TokenScope } from '@birdhub/shared/app';
import { type Static, type TObject, Type } from 'typebox';
import { HubCallError, type HubCalls, type Medium } from './hub-calls.js';

/** What a tool returns: values as its output schema says, and pictures, sounds and links beside them. */
export interface ToolOutput {
  readonly value: object;
  readonly pictures?: readonly Medium[];
  readonly sound?: Medium | undefined;
  readonly links?: readonly { readonly uri: string; readonly name: string; readonly mimeType: string }[];
}

/** A task that assistants can do, over the routes of the hub. */
export interface HubTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The scope that a token needs; `admin` has all, `review` reads, too. */
  readonly scope: Exclude<TokenScope, 'processor'>;
  readonly input: TObject;
  readonly output: TObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
  // biome-ignore lint/suspicious/noExplicitAny: what the input schema describes.
  run(input: any, hub: HubCalls): Promise<ToolOutput>;
}

/** A species as an assistant may name it. */
export const speciesInput = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name in any language the hub knows, scientific name, or id',
});
export const id = (description: string) => Type.Integer({ minimum: 1, description });
export const text = (description: string) => Type.String({ description });
export const number = (description: string) => Type.Number({ description });

export function tool<I extends TObject>(
  given: Omit<HubTool, 'run' | 'input'> & {
    readonly input: I;
    run(input: Static<I>, hub: HubCalls): Promise<ToolOutput>;
  },
): HubTool {
  return given;
}

/** The species that a name, a label or an id means. @throws HubCallError */
export async function findSpecies(
  hub: HubCalls,
  given: string,
): Promise<{ species_id: number; name: string }> {
  if (/^\d{1,9}$/.test(given)) {
    const { species } = await hub.get(`/api/ui/species/${given}/summary`);
    return { species_id: species.id, name: species.name };
  }
  const { species_id, name } = await hub.get('/api/ui/species/resolve', { label: given });
  if (species_id === null)
    throw new HubCallError(`The hub knows no species "${given}". find_species lists those it knows.`);
  return { species_id, name };
}
