import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns a minimal JPEG with a number that identifies it. */
export const aFrame = (number: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    Buffer.from(`frame ${number}`),
    Buffer.from([0xff, 0xd9]),
  ]);

/** A stub of a camera: an MJPEG stream below `/mjpeg`, and replies that the test sets. */
export class StubCamera {
  readonly requests: { path: string; authorization: string | undefined }[] = [];
  readonly #server: Server;
  readonly #viewers = new Set<ServerResponse>();
  /** Handlers by path; they override the stream. */
  replies: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {};

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.requests.push({ path, authorization: request.headers.authorization });
      const reply = this.replies[path];
      if (reply) reply(request, response);
      else if (path.startsWith('/mjpeg')) this.#stream(response);
      else response.writeHead(404).end();
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** The number of connections that receive frames. */
  get viewerCount(): number {
    return this.#viewers.size;
  }

  sendFrame(number: number): void {
    const frame = aFrame(number);
    for (const response of this.#viewers) {
      response.write(`--cam\r\nContent-Type: image/jpeg\r\nContent-Length: ${frame.length}\r\n\r\n`);
      response.write(frame);
      response.write('\r\n');
    }
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=cam' });
    response.flushHeaders();
    this.#viewers.add(response);
    response.once('close', () => this.#viewers.delete(response));
    this.sendFrame(0);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
