import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A part of a form, `multipart/form-data` (RFC 7578). */
export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly content: Buffer;
}

/** A request received by a messaging service. */
export interface MessengerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The parts of a form; empty for other bodies. */
  readonly parts: readonly FormPart[];
}

/** A handler of requests. */
export type MessengerReply = (request: MessengerRequest, response: ServerResponse) => void;

/** A stub of a messaging service on the loopback. */
export interface MessengerStub {
  readonly url: string;
  readonly port: number;
  /** The requests received so far. */
  readonly requests: readonly MessengerRequest[];
  /** Sets the handler of all following requests. */
  respond(reply: MessengerReply): void;
  close(): Promise<void>;
}

/** Starts a stub that responds with 200 and `{}` by default. */
export async function startMessengerStub(): Promise<MessengerStub> {
  const requests: MessengerRequest[] = [];
  let reply: MessengerReply = (_request, response) => response.end('{}');
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body, parts: readForm(headers['content-type'] ?? '', body) };
    requests.push(received);
    reply(received, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    respond(next) {
      reply = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Parses a form by its delimiters (RFC 2046 §5.1.1). */
function readForm(contentType: string, body: Buffer): FormPart[] {
  const [, boundary] = /^multipart\/form-data;\s*boundary="?([^";]+)"?/i.exec(contentType) ?? [];
  if (boundary === undefined) return [];
  const text = body.toString('latin1');
  const pieces = text.split(`--${boundary}`).slice(1, -1);
  return pieces.map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const head = Buffer.from(piece.slice(2, end), 'latin1').toString('utf8');
    const [, name = ''] = /[; ]name="([^"]*)"/.exec(head) ?? [];
    const [, filename] = /filename="([^"]*)"/.exec(head) ?? [];
    const [, type] = /content-type:\s*(\S+)/i.exec(head) ?? [];
    return { name, filename, type, content: Buffer.from(piece.slice(end + 4, -2), 'latin1') };
  });
}

/** Returns the text of a part. */
export function textPart({ parts }: MessengerRequest, name: string): string | undefined {
  return parts.find((part) => part.name === name)?.content.toString('utf8');
}

/** Decodes encoded words of headers (RFC 2047), only base64 in UTF-8; other text is unchanged. */
export function decodeWords(header: string): string {
  return header.replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_all, text: string) =>
    Buffer.from(text, 'base64').toString('utf8'),
  );
}
