import createClient from 'openapi-fetch';
import { basePath } from './hub-url';
import { Problem, toProblem } from './problem';
import type { paths } from './schema';
import { fetchWithUnlock } from './unlock';

/** Client of the hub's API, typed by its contract. Asks for the password when a call needs one, then repeats it. */
export const hub = createClient<paths>({
  baseUrl: basePath,
  fetch: fetchWithUnlock,
  // The contract defines lists as one comma-separated parameter.
  querySerializer: { array: { style: 'form', explode: false } },
});

/** Returns the body of a response. @throws Problem when the call fails or the hub cannot be reached */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new Problem(0, {});
  });
  if (!response.ok) throw await toProblem(response, error);
  return data as T;
}
