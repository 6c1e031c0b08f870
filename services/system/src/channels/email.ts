import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { hubName, type SettingsReader } from '@birdhub/domain/settings';
import { literals } from '@birdhub/shared/config';
import { refuse } from '@birdhub/shared/errors';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import escapeHtml from 'escape-html';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Static, Type } from 'typebox';
import { absoluteUrl, type ChannelKind, type Outcome, oneLine, type Shipment } from './channel.js';
import { admittedAddress, attempt } from './channel-http.js';
import { type DeliveryFailure, say } from './delivery-failures.js';

const address = (description: string) =>
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@<>()\\[\\]",;:\\\\]+@[^\\s@<>()\\[\\]",;:\\\\]+$',
    description,
  });

/** The options of e-mail. */
export const emailOptions = Type.Object(
  {
    host: Type.String({
      minLength: 1,
      maxLength: 253,
      pattern: '^[\\w.:-]+$',
      description: 'Host of the mail server (SMTP)',
    }),
    port: Type.Integer({ default: 587, minimum: 1, maximum: 65_535, description: 'TCP port of the server' }),
    security: literals(['starttls', 'tls', 'none'], {
      default: 'starttls',
      description:
        '`starttls`: encrypted after STARTTLS, usually port 587; `tls`: encrypted from the start, usually ' +
        'port 465; `none`: not encrypted',
    }),
    allow_untrusted: Type.Boolean({
      default: false,
      description:
        'Whether to accept certificates not signed by a known authority, such as those of a home server',
    }),
    username: Type.String({
      default: '',
      maxLength: 200,
      description: 'User name for the password, if one is set',
    }),
    from: address('Sender address'),
    to: Type.Array(address('Recipient address'), {
      minItems: 1,
      maxItems: 20,
      description: 'Recipient addresses',
    }),
    picture: Type.Boolean({ default: true, description: 'Whether to send the picture of the bird' }),
  },
  { additionalProperties: false },
);

type EmailOptions = Static<typeof emailOptions>;

const maxFileBytes = 10_000_000;
const connectTimeoutMs = 10_000;
const idleTimeoutMs = 20_000;
const totalTimeoutMs = 90_000;
const pictureId = 'bird@birdhub';

/** Sends messages by a mail server, with an inline picture and attached files. */
export function createEmailChannel(
  guard: Pick<ServiceGuard, 'admit'>,
  settings: Pick<SettingsReader, 'current'>,
): ChannelKind<typeof emailOptions> {
  return {
    options: emailOptions,
    secrets: ['password'],
    media: ({ picture }) => ({
      maxPictureBytes: picture ? maxFileBytes : 0,
      maxAttachmentBytes: maxFileBytes,
    }),
    check: ({ username, security }, { password }) => [
      ...(password && !username ? [refuse('/options/username', 'needed_with_password')] : []),
      ...(password && security === 'none' ? [refuse('/options/security', 'unencrypted_password')] : []),
    ],
    addressOf: ({ host, port, security }) => `${security} ${host.toLowerCase()}:${port}`,
    send: (shipment) =>
      attempt(async () => {
        const { host, port } = shipment.options;
        const sender = hubName(await settings.current());
        return sendMail(shipment, sender, await admittedAddress(guard, host, port));
      }),
  };
}

/** Runs one SMTP session: connection, login, message. */
async function sendMail(shipment: Shipment<EmailOptions>, sender: string, server: string): Promise<Outcome> {
  const { options, secrets } = shipment;
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const mail = await composeMail(shipment, sender);
  const isName = !/^[\d.]+$|:/.test(options.host);
  const connection = new Connection({
    host: server,
    port: options.port,
    secure: options.security === 'tls',
    requireTLS: options.security === 'starttls',
    ignoreTLS: options.security === 'none',
    ...(isName && { servername: options.host }),
    tls: { rejectUnauthorized: !options.allow_untrusted },
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: idleTimeoutMs,
    maxResponseSize: 65_536,
  });
  const session = new MailSession(connection);
  try {
    await session.run((done) => connection.connect(done));
    const { password } = secrets;
    if (password)
      await session.run((done) => connection.login({ user: options.username, pass: password }, done));
    await session.send({ from: options.from, to: options.to }, mail);
    connection.quit();
    return { state: 'sent', failure: null };
  } catch (error) {
    return toMailOutcome(error as MailError, session.hasStarted, secrets);
  } finally {
    session.end();
  }
}

/** An SMTP session whose steps fail when the connection ends or the time limit is reached. */
class MailSession {
  readonly #connection: SMTPConnection;
  readonly #broken: Promise<never>;
  readonly #timer: NodeJS.Timeout;
  /** Whether a part of the message was sent. */
  hasStarted = false;

  constructor(connection: SMTPConnection) {
    this.#connection = connection;
    let fail: (error: Error) => void = () => undefined;
    this.#broken = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    this.#broken.catch(() => undefined);
    connection.on('error', fail);
    connection.on('end', () => fail(new Error('the mail server closed the connection')));
    const timeout = Object.assign(new Error('the mail server did not finish in time'), { code: 'ETIMEDOUT' });
    this.#timer = setTimeout(() => fail(timeout), totalTimeoutMs);
  }

  run(step: (done: (error?: Error | null) => void) => void): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      step((error) => (error ? reject(error) : resolve()));
    });
    return Promise.race([done, this.#broken]);
  }

  /** The message is sent after the server has accepted the envelope. */
  send(envelope: { readonly from: string; readonly to: readonly string[] }, mail: Buffer): Promise<void> {
    const content = Readable.from(this.#read(mail));
    return this.run((done) => {
      this.#connection.send({ from: envelope.from, to: [...envelope.to] }, content, done);
    });
  }

  async *#read(mail: Buffer): AsyncGenerator<Buffer> {
    this.hasStarted = true;
    yield mail;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#connection.close();
  }
}

interface MailError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

const finalCodes: ReadonlySet<string> = new Set(['EAUTH', 'ETLS', 'ENOAUTH', 'EMAXLIMIT']);

/** Without a reply, a message that was partly sent may have arrived. */
function toMailOutcome(
  error: MailError,
  hasStarted: boolean,
  secrets: Readonly<Record<string, string>>,
): Outcome {
  const { code = 'no reply', responseCode, response } = error;
  const password = secrets['password'];
  const reply = oneLine(response ?? '').slice(0, 200);
  const shown = password && password.length > 3 ? reply.replaceAll(password, '***') : reply;
  if (responseCode) {
    const isTemporary = responseCode >= 400 && responseCode < 500;
    const failure = say('mail_refused', { reply: shown || responseCode });
    return { state: isTemporary ? 'retry' : 'failed', failure };
  }
  const isFinal = hasStarted || finalCodes.has(code) || isInsecure(error);
  return { state: isFinal ? 'failed' : 'retry', failure: failureOf(error, code) };
}

/** Whether the server does not offer encryption or has an untrusted certificate. */
function isInsecure({ code, message }: MailError): boolean {
  return code === 'ETLS' || /certificate|self.signed|STARTTLS|SSL routines/i.test(message);
}

function failureOf(error: MailError, code: string): DeliveryFailure {
  if (isInsecure(error)) return say('mail_insecure', { reason: oneLine(error.message).slice(0, 120), code });
  return say(code === 'ETIMEDOUT' ? 'no_answer_in_time' : 'unreachable', { code });
}

/** Composes the mail (RFC 5322). */
async function composeMail(
  { message, options, picture, attachments }: Shipment<EmailOptions>,
  sender: string,
): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const link = absoluteUrl(message.url);
  const id = createHash('sha256').update(message.key).digest('hex').slice(0, 32);
  const composer = new MailComposer({
    from: { name: oneLine(sender), address: options.from },
    to: options.to,
    subject: oneLine(message.title).slice(0, 250),
    text: [message.body || message.title, ...(link ? ['', link] : [])].join('\n'),
    html: toHtml(message.title, message.body, link, picture !== undefined),
    messageId: `<${id}.${Date.now()}@birdhub.invalid>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
    attachments: [
      ...(picture
        ? [{ filename: picture.name, content: picture.content, contentType: picture.type, cid: pictureId }]
        : []),
      ...attachments.map(({ name, type, content }) => ({
        filename: oneLine(name),
        content,
        contentType: type,
      })),
    ],
  });
  return composer.compile().build();
}

function toHtml(title: string, body: string, link: string | undefined, hasPicture: boolean): string {
  const lines = body.split(/\r\n|\n|\r/).map(escapeHtml);
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    `<h2>${escapeHtml(oneLine(title))}</h2>`,
    hasPicture ? `<p><img src="cid:${pictureId}" alt="" style="max-width:100%"></p>` : '',
    `<p>${lines.join('<br>')}</p>`,
    link ? `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>` : '',
    '</body></html>',
  ].join('');
}
