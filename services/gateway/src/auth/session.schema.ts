import { literals } from '@birdhub/shared/config';
import { maxPasswordLength } from '@birdhub/shared/passwords';
import { Type } from 'typebox';

const Role = literals(['contributor', 'admin'], { description: 'Role of the caller' });

export const RequiresPasswordSchema = Type.Object(
  {
    requires: Type.Boolean({ description: 'Whether a password is set' }),
    has_contributor_tier: Type.Boolean({
      description: 'Whether a separate password for contributors is set',
    }),
  },
  { $id: 'RequiresPassword' },
);

export const PasswordBodySchema = Type.Object(
  {
    password: Type.String({
      maxLength: maxPasswordLength,
      description: 'The password of the administrator or of contributors',
    }),
  },
  { $id: 'PasswordBody', additionalProperties: false },
);

export const UnlockedSchema = Type.Object(
  { ok: Type.Literal(true, { description: 'Always true; errors have `ok: false`' }), role: Role },
  { $id: 'Unlocked' },
);

export const CheckAccessSchema = Type.Object(
  {
    unlocked: Type.Boolean({ description: 'Whether the caller may make changes' }),
    role: Type.Optional(Role),
  },
  { $id: 'CheckAccess' },
);

export const LoggedOutSchema = Type.Object(
  { ok: Type.Literal(true, { description: 'Always true' }) },
  { $id: 'LoggedOut' },
);

/** The response of `GET /csrf-token`. */
export const CsrfTokenSchema = Type.Object(
  { csrf_token: Type.String({ description: 'Random token, different in each response' }) },
  { $id: 'CsrfToken' },
);
