import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { defaultSettings } from '@birdhub/domain/settings';
import { createOutgoingGuard, createServiceGuard } from '@birdhub/shared/outgoing';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEnglish } from '../testing/in-english.js';
import type { Attachment, Message, Shipment } from './channel.js';
import { createEmailChannel } from './email.js';

const picture: Attachment = {
  name: 'bird.jpg',
  type: 'image/jpeg',
  content: Buffer.from([0xff, 0xd8, 0xff, 9]),
};
const report: Attachment = { name: 'week.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7') };
const message: Message = {
  key: 'visit:7',
  title: 'Great Tit',
  body: 'Here since 11:59\n<b>&',
  tag: 'birdhub-visit-7',
  url: 'https://birds.example/videos/7',
  visitId: 7,
  icon: null,
  image: null,
  noticeId: null,
};

/** A mail as received by the server. */
interface TakenMail {
  readonly from: string;
  readonly to: string[];
  readonly user: string | undefined;
  readonly isSecure: boolean;
  readonly text: string;
}

describe('e-mail', () => {
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(closes.splice(0).map((close) => close()));
  });

  async function startServer(given: SMTPServerOptions = {}) {
    const mails: TakenMail[] = [];
    const server = new SMTPServer({
      authOptional: true,
      logger: false,
      onAuth({ username, password }, _session, done) {
        if (password === 'right-password') return done(null, { user: username });
        done(new Error(`not ${password}`));
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          mails.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            user: session.user as string | undefined,
            isSecure: session.secure,
            text: Buffer.concat(chunks).toString('utf8'),
          });
          done();
        });
      },
      ...given,
    });
    server.on('error', () => undefined);
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    closes.push(() => new Promise<void>((done) => server.close(() => done())));
    return { port: (listening.address() as { port: number }).port, mails };
  }

  /** A server whose replies are written by the test. */
  async function startPlain(serve: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      serve(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closes.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return (server.address() as { port: number }).port;
  }

  const guard = (port = 0) =>
    createServiceGuard({
      ownAddresses: port ? [{ host: undefined, port }] : [],
      guard: createOutgoingGuard('all'),
    });

  function send(port: number, given: Partial<Shipment> = {}, options: object = {}, own = 0) {
    const settings = defaultSettings('UTC');
    settings.general.app_name = 'Gärten, "Nord"';
    const channel = createEmailChannel(guard(own), { current: async () => settings });
    const usual = {
      host: '127.0.0.1',
      port,
      security: 'starttls',
      allow_untrusted: true,
      username: 'me',
      from: 'birds@example.org',
      to: ['a@example.org', 'b@example.org'],
      picture: true,
      ...options,
    };
    const shipment = { message, target: '', ttlSeconds: 60, secrets: { password: 'right-password' } };
    const nothing = { picture: undefined, clip: undefined, attachments: [] };
    return inEnglish(channel.send({ ...shipment, ...nothing, ...given, options: usual } as never));
  }

  it('a server with STARTTLS, takes the mail after login, with inline picture and attached report', async () => {
    const { port, mails } = await startServer();
    expect(await send(port, { picture, attachments: [report] })).toEqual({ state: 'sent', error: null });
    const [mail] = mails;
    expect(mail).toMatchObject({
      from: 'birds@example.org',
      to: ['a@example.org', 'b@example.org'],
      user: 'me',
      isSecure: true,
    });
    expect(mail?.text).toMatch(/^Subject: Great Tit\r?$/m);
    expect(mail?.text).toMatch(/^From: =\?UTF-8\?[BQ]\?[^ ]+\?= <birds@example\.org>\r?$/m);
    // Quoted-printable (RFC 2045 §6.7): soft line breaks, and an equals sign as =3D.
    const text = mail?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(text).toContain('<img src="cid:bird@birdhub"');
    expect(text).toMatch(/^Content-ID: <bird@birdhub>/im);
    expect(text).toContain('&lt;b&gt;&amp;');
    expect(mail?.text).toContain(picture.content.toString('base64'));
    expect(mail?.text).toMatch(/filename="?week\.pdf/);
    expect(mail?.text).toContain(report.content.toString('base64'));
  });

  it('a server with TLS from the start, and one without TLS, take the mail', async () => {
    const secure = await startServer({ secure: true });
    expect((await send(secure.port, {}, { security: 'tls' })).state).toBe('sent');
    const open = await startServer({ disabledCommands: ['STARTTLS'] });
    expect((await send(open.port, { secrets: {} }, { security: 'none' })).state).toBe('sent');
    expect([secure.mails[0]?.isSecure, open.mails[0]?.isSecure]).toEqual([true, false]);
  });

  it('a self-signed certificate, is refused unless allowed, and without STARTTLS nothing is sent', async () => {
    const { port, mails } = await startServer();
    expect(await send(port, {}, { allow_untrusted: false })).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('no secure connection to the mail server'),
    });
    const open = await startServer({ disabledCommands: ['STARTTLS'] });
    expect((await send(open.port)).state).not.toBe('sent');
    expect([...mails, ...open.mails]).toEqual([]);
  });

  it('a wrong password, fails, and is not in the error', async () => {
    const { port } = await startServer();
    const outcome = await send(port, { secrets: { password: 'wrong-secret' } });
    expect(outcome).toMatchObject({ state: 'failed', error: expect.stringContaining('535') });
    expect(outcome.error).not.toContain('wrong-secret');
  });

  it.each([
    [450, 'retry'],
    [550, 'failed'],
  ])(
    'a server that responds %i to the recipients or to the mail, leads to %s',
    async (responseCode, state) => {
      const refuse = () => Object.assign(new Error('no'), { responseCode });
      const early = await startServer({ onRcptTo: (_address, _session, done) => done(refuse()) });
      const late = await startServer({
        onData(stream, _session, done) {
          stream.resume().on('end', () => done(refuse()));
        },
      });
      for (const { port } of [early, late])
        expect(await send(port)).toMatchObject({
          state,
          error: expect.stringContaining(String(responseCode)),
        });
    },
  );

  it('a title and a name with line breaks, add no header and no recipient', async () => {
    const { port, mails } = await startServer();
    const title = 'Tit\r\nBcc: evil@example.org\r\n\r\nbody';
    const attachment = { ...report, name: 'a\r\nX-Evil: 1.pdf' };
    await send(port, { message: { ...message, title }, attachments: [attachment] });
    expect(mails[0]?.to).toEqual(['a@example.org', 'b@example.org']);
    const [head = ''] = mails[0]?.text.split('\r\n\r\n') ?? [];
    expect(head).not.toMatch(/^Bcc:/im);
    expect(mails[0]?.text).not.toMatch(/^X-Evil:/im);
  });

  it('a connection lost in the message, may have arrived, and one lost before is retried', async () => {
    const early = await startPlain((socket) => socket.resetAndDestroy());
    expect((await send(early, { secrets: {} }, { security: 'none' })).state).toBe('retry');
    const late = await startPlain((socket) => {
      socket.write('220 hub\r\n');
      socket.on('data', (chunk) => {
        const text = chunk.toString();
        if (/^(EHLO|MAIL|RCPT)/.test(text)) socket.write('250 ok\r\n');
        else if (text.startsWith('DATA')) socket.write('354 go on\r\n');
        else socket.destroy();
      });
    });
    expect((await send(late, { secrets: {} }, { security: 'none' })).state).toBe('failed');
  });

  it('a server that greets without an end, is given up', async () => {
    const port = await startPlain((socket) => {
      const flood = () => {
        while (!socket.destroyed && socket.write(`220-${'a'.repeat(60_000)}\r\n`));
      };
      socket.on('drain', flood);
      flood();
    });
    expect((await send(port, { secrets: {} }, { security: 'none' })).state).toBe('retry');
  });

  it('a server that never greets, is retried', async () => {
    const port = await startPlain(() => undefined);
    expect(await send(port)).toMatchObject({ state: 'retry' });
  });

  it('an address of the hub itself, is refused', async () => {
    const { port, mails } = await startServer();
    expect(await send(port, {}, {}, port)).toEqual({
      state: 'failed',
      error: 'This address is not allowed: it belongs to a service of the hub itself.',
    });
    expect(mails).toEqual([]);
  });
});
