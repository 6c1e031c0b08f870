import { type Static, Type } from 'typebox';
import type { HubError } from './hub-error.js';

/** The body of every answer with a status of 400 or more. */
export const ErrorBodySchema = Type.Object(
  {
    error: Type.String({ description: 'What went wrong, for a person' }),
    code: Type.String({ description: 'What went wrong, stable, for a program' }),
    request_id: Type.String({ description: 'Id of the request, as in `X-Request-Id` and in the logs' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({
            description: 'JSON Pointer into the body, or the name of a parameter; empty for the whole',
          }),
          message: Type.String({ description: 'What is wrong there, for a person' }),
        }),
        { description: 'The single fields that are wrong' },
      ),
    ),
  },
  { $id: 'Error', additionalProperties: true },
);

/** The shape of {@link ErrorBodySchema}. */
export type ErrorBody = Static<typeof ErrorBodySchema>;

/** The wire form of an error. */
export function toErrorBody(error: HubError, requestId: string): ErrorBody {
  // Front ends of this field look for `ok` in the answer to a password.
  const ok = error.code === 'wrong_password' && { ok: false };
  const body = { ...ok, ...error.beside, error: error.message, code: error.wireCode, request_id: requestId };
  return error.details === undefined ? body : { ...body, details: [...error.details] };
}
