import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

/** An answer with its body as text. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** Sends a request with exactly these headers, which `fetch` would not, and reads the whole answer. */
export function ask(
  url: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string; agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, agent = false } = options;
    const sent = request(url, { method, headers, agent }, async (response) => {
      try {
        const chunks: Buffer[] = await response.toArray();
        const text = Buffer.concat(chunks).toString();
        const json = () => JSON.parse(text) as Record<string, unknown>;
        const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? json() : {},
        });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
