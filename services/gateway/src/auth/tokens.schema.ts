import { tokenScopes } from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

const Scope = literals([...tokenScopes], {
  description:
    '`processor`: post recordings, notices and heartbeats; `read`: read all that contributors can, also what a ' +
    'password guards; `review`: what contributors may change, and read; `feeder`: dispense food; `admin`: everything',
});

const Scopes = Type.Array(Scope, {
  minItems: 1,
  maxItems: tokenScopes.length,
  description: 'What its bearer may do; each once',
});

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });

const instantOrNull = (description: string) => orNull(Type.String({ format: 'date-time' }), description);

/** A token to be created. */
export const NewTokenSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'What the token is for; stands in the activity log, and no two tokens share it',
    }),
    scopes: Scopes,
    expires_at: Type.Optional(
      orNull(
        Type.String({ maxLength: 64 }),
        'RFC 3339 instant in the future from which it is no longer valid; never without it',
      ),
    ),
    cameras: Type.Optional(
      orNull(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 50 }),
        'Ids of the only cameras that it may post for, with the scope `processor`; all without it',
      ),
    ),
  },
  { $id: 'NewToken', additionalProperties: false },
);

/** The shape of {@link NewTokenSchema}. */
export type NewTokenBody = Static<typeof NewTokenSchema>;

/** A token that was created. */
export const CreatedTokenSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the token, to revoke it by' }),
    token: Type.String({ description: 'The token itself; shown this once, as the hub stores its SHA-256' }),
  },
  { $id: 'CreatedToken' },
);

/** A token as it is listed. */
export const AccessTokenSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the token' }),
    name: Type.String({ description: 'What the token is for' }),
    scopes: Scopes,
    cameras: orNull(Type.Array(Type.String()), 'Ids of the only cameras that it may post for; null for all'),
    created_at: Type.String({ format: 'date-time', description: 'When it was created' }),
    expires_at: instantOrNull('From when it is no longer valid; null for never'),
    last_used_at: instantOrNull('When it was last used, to the minute; null before the first time'),
    last_used_address: orNull(Type.String(), 'The address from which it was last used'),
  },
  { $id: 'AccessToken' },
);

/** The path parameters of a route about one token. */
export const TokenParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the token' }),
});

/** What a revocation returns. */
export const RevokedTokenSchema = Type.Object({
  message: Type.String({ description: 'What was done, for a person' }),
});
