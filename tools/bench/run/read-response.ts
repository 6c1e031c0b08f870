import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** The time and size of a response that was read to its end. */
export interface ReadResponse {
  readonly seconds: number;
  readonly firstByteMs: number;
  readonly bytes: number;
}

/** Parses `http://host:port/path` or `unix:/folder/name.sock/path`. */
function placeOf(url: string) {
  const [, socketPath, path] = /^unix:(.+?\.sock)(\/.*)$/.exec(url) ?? [];
  if (socketPath !== undefined) return { socketPath, path };
  const { hostname, port, pathname, search } = new URL(url);
  return { hostname, port, path: pathname + search };
}

/** Reads a response to its end and discards it. @throws for a status other than 200 */
export async function readResponse(url: string, headers: Record<string, string> = {}): Promise<ReadResponse> {
  const startedAt = performance.now();
  const [response] = (await once(get({ ...placeOf(url), headers }), 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} was answered with ${response.statusCode}`);
  let firstByteMs: number | undefined;
  let bytes = 0;
  for await (const chunk of response) {
    firstByteMs ??= performance.now() - startedAt;
    bytes += chunk.length;
  }
  const milliseconds = performance.now() - startedAt;
  return { seconds: milliseconds / 1000, firstByteMs: firstByteMs ?? milliseconds, bytes };
}
