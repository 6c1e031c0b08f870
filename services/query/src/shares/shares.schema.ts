import { hubLanguages } from '@birdhub/domain/language';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { instant, numberOrNull, orNull, text, textOrNull } from '../wire.schema.js';

/** Longest time for which a link is valid. */
const maxShareDays = 365;

/** A link to be created; either `video_id` or `day`. */
export const NewShareSchema = Type.Object(
  {
    video_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The recording that it shows',
      }),
    ),
    t: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        description: 'Second of the recording at which it begins; its start without it',
      }),
    ),
    day: Type.Optional(
      Type.String({ maxLength: 10, description: "The day that it shows, `YYYY-MM-DD` in the hub's zone" }),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxShareDays,
        default: 7,
        description: 'Days for which it is valid',
      }),
    ),
    language: Type.Optional(
      literals([...hubLanguages], {
        description:
          'Language of its page and preview where a browser prefers none; that of the hub without it',
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
    id: Type.Integer({ description: 'Id of the link, to revoke it by' }),
    url: text('The link itself; shown this once, as the hub stores its SHA-256'),
    expires_at: instant('From when on it shows nothing'),
  },
  { $id: 'CreatedShare' },
);

/** A link as it is listed. */
export const ShareSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the link' }),
    video_id: orNull(Type.Integer(), 'The recording that it shows; null for a day'),
    t: numberOrNull('Second of the recording at which it begins; null for its start'),
    day: textOrNull("The day that it shows, in the hub's zone; null for a recording"),
    created_by: text('Role of who created it'),
    created_at: instant('When it was created'),
    expires_at: instant('From when on it shows nothing'),
    expired: Type.Boolean({ description: 'Whether that time has come' }),
  },
  { $id: 'Share' },
);
