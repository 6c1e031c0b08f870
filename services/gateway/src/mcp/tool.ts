import type { TokenScope } from '@birdhub/shared/app';
import type { Static, TObject } from 'typebox';
import type { HubCalls, MediaContent } from './hub-calls.js';

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
