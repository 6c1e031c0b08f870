import { type Static, type TObject, Type } from 'typebox';
import { id, instant } from './fields.js';

interface CommandDefinition {
  readonly description: string;
  readonly schema: TObject;
}

/** What the hub asks others to do. Not on the stream: whoever is away hears it another way or not at all. */
export const commands = {
  'hub.cmd.v1.processor.restart': {
    description: 'The detection processor shall restart; repeated until a heartbeat acknowledges it.',
    schema: Type.Object({
      command_id: id('Row of the command, named in the acknowledgement'),
      requested_at: instant('When it was asked for first'),
    }),
  },
} as const satisfies Record<`hub.cmd.v1.${string}.${string}`, CommandDefinition>;

/** A subject of the command catalogue. */
export type CommandSubject = keyof typeof commands;

/** Command subject to payload type. */
export type CommandMap = { [C in CommandSubject]: Static<(typeof commands)[C]['schema']> };
