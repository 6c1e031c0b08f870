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
  'hub.cmd.v1.pictures.make': {
    description:
      'The pictures of a recording shall be made before all others. The reply, sent when they are, is `{ outcome }`: ' +
      '`made`, `unmade` when not all of them can be, `pending` when the file is not whole yet, `busy` when too many ' +
      'are asked for.',
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
