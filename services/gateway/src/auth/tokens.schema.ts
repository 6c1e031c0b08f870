import { tokenScopes } from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

const Scope = literals([...tokenScopes], {
  description:
    '`processor`: post recordings, notices and heartbeats; `read`: read everything that contributors can ' +
    'read, including what is protected by a password; `review`: read and change everything that ' +
    'contributors can; `feeder`: dispense food; `admin`: everything',
});

const Scopes = Type.Array(Scope, {
  minItems: 1,
  maxItems: tokenScopes.length,
  description: 'Scopes of the token, each at most once',
});

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });

const instantOrNull = (description: string) => orNull(Type.String({ format: 'date-time' }), description);

/** The properties of a new token. */
export const NewTokenSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'Purpose of the token; unique, and shown in the activity log',
    }),
    scopes: Scopes,
    expires_at: Type.Optional(
      orNull(
        Type.String({ maxLength: 64 }),
        'When the token expires, RFC 3339 and in the future; without it, the token never expires',
      ),
    ),
    cameras: Type.Optional(
      orNull(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 50 }),
        'Ids of the cameras to which the scope `processor` is limited; without it, all cameras',
      ),
    ),
  },
  { $id: 'NewToken', additionalProperties: false },
);

/** The shape of {@link NewTokenSchema}. */
export type NewTokenBody = Static<typeof NewTokenSchema>;

/** The response to a new token. */
export const CreatedTokenSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the token, used to revoke it' }),
    token: Type.String({
      description: 'The token. It is only returned once, because the hub only stores its SHA-256 hash',
    }),
  },
  { $id: 'CreatedToken' },
);

/** A token as it is listed. */
export const AccessTokenSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the token' }),
    name: Type.String({ description: 'Purpose of the token' }),
    scopes: Scopes,
    cameras: orNull(
      Type.Array(Type.String()),
      'Ids of the cameras to which the token is limited; null for all',
    ),
    created_at: Type.String({ format: 'date-time', description: 'When the token was created' }),
    expires_at: instantOrNull('When the token expires; null for never'),
    last_used_at: instantOrNull(
      'When the token was last used, accurate to the minute; null before the first use',
    ),
    last_used_address: orNull(Type.String(), 'Address from which the token was last used'),
  },
  { $id: 'AccessToken' },
);

/** The path parameters of a route about one token. */
export const TokenParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the token' }),
});

/** The response to a revocation. */
export const RevokedTokenSchema = Type.Object({
  message: Type.String({ description: 'Human-readable result' }),
});
