import { hubLanguages } from '@birdhub/domain/language';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { instant, numberOrNull, orNull, text, textOrNull } from '../wire.schema.js';

/** Maximum validity of a link, in days. */
const maxShareDays = 365;

/** A link to be created; either `video_id` or `day`. */
export const NewShareSchema = Type.Object(
  {
    video_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Id of the recording to share',
      }),
    ),
    t: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        description:
          'Where playback starts, in seconds from the start of the recording; defaults to its start',
      }),
    ),
    day: Type.Optional(
      Type.String({ maxLength: 10, description: 'Day to share, `YYYY-MM-DD` in the time zone of the hub' }),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxShareDays,
        default: 7,
        description: 'Number of days for which the link is valid',
      }),
    ),
    language: Type.Optional(
      literals([...hubLanguages], {
        description:
          'Language of the page and the preview for browsers without a preferred language; defaults ' +
          'to the language of the hub',
      }),
    ),
  },
  { $id: 'NewShare', additionalProperties: false },
);

/** The shape of {@link NewShareSchema}. */
export type NewShareBody = Static<typeof NewShareSchema>;

/** A link that was created. */
export const CreatedShareSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the link, used to revoke it' }),
    url: text('URL of the link. It is only returned once, because the hub only stores its SHA-256 hash'),
    expires_at: instant('When the link expires'),
  },
  { $id: 'CreatedShare' },
);

/** A link in responses. */
export const ShareSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the link' }),
    video_id: orNull(Type.Integer(), 'Id of the shared recording; null for a day'),
    t: numberOrNull('Where playback starts, in seconds from the start of the recording; null for its start'),
    day: textOrNull('The shared day in the time zone of the hub; null for a recording'),
    start_time: orNull(instant('Start of the recording'), 'Start of the shared recording; null for a day'),
    species: Type.Array(Type.String(), {
      description:
        'English names of the birds and other animals in the shared recording, in the order in which they ' +
        'appear; empty for a day',
    }),
    created_by: text('Role of the user who created the link'),
    created_at: instant('When the link was created'),
    expires_at: instant('When the link expires'),
    expired: Type.Boolean({ description: 'Whether the link has expired' }),
  },
  { $id: 'Share' },
);
