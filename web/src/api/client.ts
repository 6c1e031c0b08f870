import createClient from 'openapi-fetch';
import { unlockingFetch } from '../session/unlocking-fetch';
import { basePath } from './base';
import { Problem, toProblem } from './problem';
import type { paths } from './schema';

/** The hub's operations, typed by its contract. A locked one asks for the password and goes on from there. */
export const hub = createClient<paths>({
  baseUrl: basePath,
  fetch: unlockingFetch,
  // As the contract writes lists: comma separated in one parameter.
  querySerializer: { array: { style: 'form', explode: false } },
});

/** What a call answers. @throws Problem when the hub refuses, fails or cannot be reached */
export async function answerOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new Problem(0, {});
  });
  if (!response.ok) throw toProblem(response, error);
  return data as T;
}
