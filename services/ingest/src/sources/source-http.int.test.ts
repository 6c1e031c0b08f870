import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSourceHttp } from './source-http.js';

describe('requests to a source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'source-http-'));
  const guard = createServiceGuard({ ownAddresses: [] });
  let server: Server;
  let url: string;

  /** The chunks of an event stream. */
  const streams: Record<string, () => Iterable<string>> = {
    *'/events'() {
      yield 'event: detection\r\nda';
      yield 'ta: {"id":\r';
      yield '\ndata:1}\r\r';
      yield ': a comment\n\nid: 4\ndata: n\u00f6';
      yield 'tt\n\ndata: never ended';
    },
    *'/endless-line'() {
      for (;;) yield `data: ${'x'.repeat(60_000)}`;
    },
    *'/endless-event'() {
      for (;;) yield `data: ${'x'.repeat(60_000)}\n`;
    },
    *'/empty-lines-of-data'() {
      for (;;) yield 'data\n'.repeat(10_000);
    },
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const stream = streams[request.url ?? ''];
      if (stream) {
        pipeline(Readable.from(stream()), response).catch(() => undefined);
        return;
      }
      if (request.url === '/switch') {
        request.socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
        );
        return;
      }
      if (request.url === '/cut-off' || request.url === '/endless') {
        response.setHeader('content-length', 2_000);
        response.write(Buffer.alloc(1_000), () => {
          if (request.url === '/cut-off') request.socket.destroy();
        });
        return;
      }
      if (request.url === '/refused') {
        request.socket.destroy();
        return;
      }
      if (request.url === '/chunked') response.write(Buffer.alloc(1_000));
      else response.setHeader('content-length', 2_000);
      response.end(Buffer.alloc(request.url === '/chunked' ? 1_000 : 2_000));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const readEvents = async (path: string) => {
    const events: { event: string; data: string }[] = [];
    for await (const event of createSourceHttp({ url, guard }).events(path, {})) events.push(event);
    return events;
  };

  it('events, split at any byte, are read whole', async () => {
    expect(await readEvents('events')).toEqual([
      { event: 'detection', data: '{"id":\n1}' },
      { event: 'message', data: 'n\u00f6tt' },
    ]);
  });

  it.each(['endless-line', 'endless-event', 'empty-lines-of-data'])(
    'an event of %s, is an error',
    async (path) => {
      await expect(readEvents(path)).rejects.toMatchObject({ message: 'Its response is too large.' });
    },
  );

  it('a response that switches to another protocol, is an error of requests, files and events', async () => {
    const http = createSourceHttp({ url, guard });
    const error = { message: 'It cannot be reached (UNEXPECTED_UPGRADE).' };
    await expect(http.request('switch', {})).rejects.toMatchObject(error);
    await expect(http.download('switch', join(folder, 'switch'), { maxBytes: 5_000 })).rejects.toMatchObject(
      error,
    );
    await expect(readEvents('switch')).rejects.toMatchObject(error);
  });

  it.each(['whole', 'chunked'])(
    'a file beyond the maximum of the source, sent %s, is refused and leaves no file',
    async (path) => {
      const file = join(folder, path);
      const limited = createSourceHttp({ url, guard, maxFileBytes: 1_999 });
      await expect(limited.download(path, file, { maxBytes: 5_000 })).rejects.toMatchObject({
        stage: 'clip',
        message: 'The file is larger than 1999 bytes.',
      });
      expect(existsSync(file)).toBe(false);
      const whole = await createSourceHttp({ url, guard }).download(path, file, { maxBytes: 2_000 });
      expect([whole.status, whole.sizeBytes, statSync(file).size]).toEqual([200, 2_000, 2_000]);
    },
  );

  it.each([
    ['cut-off', 'clip'],
    ['endless', 'clip'],
    ['refused', 'address'],
  ])(
    'a file of which the download ends with %s, is an error of the stage %s and leaves no file',
    async (path, stage) => {
      const file = join(folder, path);
      const http = createSourceHttp({ url, guard, downloadTimeoutMs: 500 });
      await expect(http.download(path, file, { maxBytes: 5_000 })).rejects.toMatchObject({ stage });
      expect(existsSync(file)).toBe(false);
    },
  );
});
