import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

const megabyte = 2 ** 20;

/** A way in which a server misbehaves; `location` is the target of a redirect. */
export type HostileReply =
  /** 10 GB with a `Content-Length`, as fast as the client reads. */
  | { readonly kind: 'huge-declared'; readonly type?: string }
  /** 10 GB without a `Content-Length`, as fast as the client reads. */
  | { readonly kind: 'huge-undeclared'; readonly type?: string }
  /** A byte every 200 ms, endlessly. */
  | { readonly kind: 'slow-body'; readonly type?: string }
  /** The request is accepted but gets no response. */
  | { readonly kind: 'silent' }
  /** The connection is closed in the middle of the body. */
  | { readonly kind: 'cut-off'; readonly type?: string }
  /** The connection is closed before the headers. */
  | { readonly kind: 'no-reply' }
  | { readonly kind: 'redirect'; readonly location: string }
  /** 10 GB of spaces, compressed to 10 MB. */
  | { readonly kind: 'gzip-bomb'; readonly type?: string }
  /** 500,000 nested arrays. */
  | { readonly kind: 'deep-json' }
  /** An HTML page with status 200 instead of the requested type. */
  | { readonly kind: 'wrong-type' }
  /** Text that starts like JSON but is not valid. */
  | { readonly kind: 'broken-json' }
  /** A JSON value of another shape. */
  | { readonly kind: 'json'; readonly value: unknown }
  /** A megabyte of headers. */
  | { readonly kind: 'huge-headers' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string };

/** All kinds that need no address, for tests of each of them. */
export const hostileReplies: readonly HostileReply[] = [
  { kind: 'huge-declared' },
  { kind: 'huge-undeclared' },
  { kind: 'slow-body' },
  { kind: 'silent' },
  { kind: 'cut-off' },
  { kind: 'no-reply' },
  { kind: 'gzip-bomb' },
  { kind: 'deep-json' },
  { kind: 'wrong-type' },
  { kind: 'broken-json' },
  { kind: 'json', value: { data: 'no list', total: -1, detections: null } },
  { kind: 'json', value: [null, 1, 'event', [], { id: 7 }, { id: null, start_time: 'yesterday' }] },
  { kind: 'huge-headers' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, retryAfter: '999999999999' },
  { kind: 'status', status: 429, retryAfter: 'soon' },
];

/** Malicious names of birds, cameras and events, as users and upstream programs may set them. */
export const hostileTexts = {
  markup: '<img src=x onerror="alert(1)"><script>alert(2)</script>',
  controlCharacters: 'Great\u0000 Tit\u0007\u001b[31m\r\nSet-Cookie: a=b\u2028\u202e',
  long: 'Tit '.repeat(2_500),
  traversal: '../../../../etc/passwd',
  traversalEncoded: '..%2f..%2fetc%2fpasswd',
  longId: `1777622400.5-${'a'.repeat(5_000)}`,
  loneSurrogate: 'Tit \ud800',
  formula: '=cmd|"/c calc"!A1',
  prototype: '__proto__',
} as const;

/** Sends a hostile reply; endless ones end with the connection. */
export function sendHostileReply(response: ServerResponse, reply: HostileReply): void {
  switch (reply.kind) {
    case 'huge-declared':
      response.writeHead(200, { 'content-type': typeOf(reply), 'content-length': 10 * 1024 * megabyte });
      pour(response);
      break;
    case 'huge-undeclared':
      response.writeHead(200, { 'content-type': typeOf(reply) });
      pour(response);
      break;
    case 'slow-body':
      response.writeHead(200, { 'content-type': typeOf(reply) });
      trickle(response);
      break;
    case 'silent':
      break;
    case 'cut-off':
      response.writeHead(200, { 'content-type': typeOf(reply), 'content-length': megabyte });
      response.write('[{"id":"1777622400.5-abcdef",', () => response.destroy());
      break;
    case 'no-reply':
      response.destroy();
      break;
    case 'redirect':
      response.writeHead(302, { location: reply.location }).end();
      break;
    case 'gzip-bomb':
      response.writeHead(200, { 'content-type': typeOf(reply), 'content-encoding': 'gzip' });
      // Concatenated gzip files are a valid gzip file.
      pour(response, gzipSync(Buffer.alloc(megabyte, ' ')), 10_000);
      break;
    case 'deep-json':
      sendText(response, '['.repeat(500_000) + ']'.repeat(500_000));
      break;
    case 'wrong-type':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Router</title>');
      break;
    case 'broken-json':
      sendText(response, '[{"id": "1777622400.5-abcdef", "label": "bird", ');
      break;
    case 'json':
      sendText(response, JSON.stringify(reply.value));
      break;
    case 'huge-headers':
      response.writeHead(200, { 'x-padding': 'a'.repeat(megabyte) }).end('[]');
      break;
    case 'status':
      response.writeHead(
        reply.status,
        reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter },
      );
      response.end('Internal Server Error');
  }
}

const typeOf = ({ type = 'application/json' }: { readonly type?: string }) => type;

function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

function pour(response: ServerResponse, chunk = Buffer.alloc(megabyte, ' '), times = 10 * 1024): void {
  let left = times;
  const write = () => {
    while (left > 0) {
      if (response.destroyed) return;
      left -= 1;
      if (!response.write(chunk)) {
        response.once('drain', write);
        return;
      }
    }
    response.end();
  };
  write();
}

function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 200);
  response.once('close', () => clearInterval(timer));
}
