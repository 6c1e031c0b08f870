import { type Static, type TObject, Type } from 'typebox';
import { id, instant } from './fields.js';

interface CommandDefinition {
  readonly description: string;
  readonly schema: TObject;
}

/** Commands to other processes. They are not in the stream: a process that is not connected does not receive them. */
export const commands = {
  'hub.cmd.v1.processor.restart': {
    description: 'Restart the processor; repeated until a heartbeat acknowledges it.',
    schema: Type.Object({
      command_id: id('Row of the command, named in the acknowledgement'),
      requested_at: instant('When it was requested first'),
    }),
  },
  'hub.cmd.v1.pictures.make': {
    description:
      'Make the pictures of a recording before all others. The reply, sent when they are made, is `{ outcome }`: ' +
      '`made`, `unmade` when not all of them can be made, `pending` when the file is not complete yet, `busy` when too many ' +
      'are requested.',
    schema: Type.Object({ video_id: id('The recording') }),
  },
} as const satisfies Record<`hub.cmd.v1.${string}.${string}`, CommandDefinition>;

/** A subject of the command catalogue. */
export type CommandSubject = keyof typeof commands;

/** What those who handle a command reply with, for commands that are replied to. */
export const replies = {
  'hub.cmd.v1.pictures.make': Type.Object({
    outcome: Type.Union([
      Type.Literal('made'),
      Type.Literal('unmade'),
      Type.Literal('pending'),
      Type.Literal('busy'),
    ]),
  }),
} as const satisfies Partial<Record<CommandSubject, TObject>>;

/** A command that is replied to. */
export type RequestSubject = keyof typeof replies;

/** Request subject to the type of its reply. */
export type ReplyMap = { [R in RequestSubject]: Static<(typeof replies)[R]> };

/** Command subject to payload type. */
export type CommandMap = { [C in CommandSubject]: Static<(typeof commands)[C]['schema']> };
