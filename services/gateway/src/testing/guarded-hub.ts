import { openSettings } from '@birdhub/domain/settings';
import { hashPassword } from '@birdhub/shared/passwords';
import { openSession, type SessionRole } from '@birdhub/shared/sessions';
import { createTestDatabase, storeSettings, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { followPasswords, type KnownPasswords } from '../auth/passwords.js';
import { startTestGateway, type TestGateway } from './gateway.js';
import { sendRequest, type TestResponse } from './http.js';

type GatewayOptions = Partial<Parameters<typeof startTestGateway>[0]>;

/** A database with passwords, and gateways that share it. */
export interface GuardedHub {
  readonly database: TestDatabase;
  readonly passwords: KnownPasswords;
  /** Starts a gateway that uses the stored passwords. */
  start(options?: GatewayOptions): Promise<TestGateway>;
  /** Sets the passwords and other general settings; resolves when all gateways have them. */
  set(passwords: TestPasswords, others?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Opens a session; returns it as a `Cookie` header. */
  cookieOf(role: SessionRole): Promise<string>;
  close(): Promise<void>;
}

/** Opens a hub, which is protected after {@link GuardedHub.set}. */
export async function openGuardedHub(): Promise<GuardedHub> {
  const database = await createTestDatabase();
  const { passwords, close: stopFollowing } = await openPasswords(database);
  const gateways: TestGateway[] = [];
  return {
    database,
    passwords,
    async start(options = {}) {
      const gateway = await startTestGateway({ services: {}, ...database, passwords, ...options });
      gateways.push(gateway);
      return gateway;
    },
    async set(texts, others) {
      await storePasswords(database, texts, others);
      await passwords.refresh();
    },
    async cookieOf(role) {
      const storedPassword = passwords.current()?.[role] ?? '';
      return `hub_session=${await openSession(database.pool, { role, storedPassword, replacedTokens: [] })}`;
    },
    async close() {
      for (const gateway of gateways) await gateway.close();
      await stopFollowing();
      await database.drop();
    },
  };
}

/** Plain-text passwords; empty for none. */
export interface TestPasswords {
  readonly admin: string;
  readonly contributor: string;
}

const hashes = new Map<string, Promise<string>>();

/** Hashes each password once, as hashing is slow on purpose. */
async function hashOnce(text: string): Promise<string> {
  if (!text) return '';
  const hash = hashes.get(text) ?? hashPassword(text);
  hashes.set(text, hash);
  return hash;
}

/** Stores passwords and other general settings. */
export async function storePasswords(
  { pool }: Pick<TestDatabase, 'pool'>,
  { admin, contributor }: TestPasswords,
  others: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const general = {
    ...others,
    settings_password: await hashOnce(admin),
    contributor_password: await hashOnce(contributor),
  };
  await storeSettings(pool, { general });
}

/** Opens the passwords of a database like a gateway. */
async function openPasswords({
  pool,
  url,
}: TestDatabase): Promise<{ passwords: KnownPasswords; close(): Promise<void> }> {
  const log = pino({ level: 'silent' });
  const { settings, listener } = openSettings({ pool, url, hostZone: 'UTC', log });
  const passwords = followPasswords(settings);
  await passwords.refresh();
  return { passwords, close: () => listener.close() };
}

const settingsUrl = (base: string, path: string) => `${base}/api/ui/settings/${path}`;

/** Sends a password to `verify-password`. */
export function verify(base: string, password: unknown, headers = {}): Promise<TestResponse> {
  const body = JSON.stringify({ password });
  const type = { 'content-type': 'application/json' };
  return sendRequest(settingsUrl(base, 'verify-password'), {
    method: 'POST',
    headers: { ...type, ...headers },
    body,
  });
}

/** Returns the response of `check-access` to this cookie. */
export async function checkAccess(base: string, cookie?: string): Promise<Record<string, unknown>> {
  const { status, json } = await sendRequest(settingsUrl(base, 'check-access'), {
    headers: cookie ? { cookie } : {},
  });
  if (status !== 200) throw new Error(`check-access responded ${status}`);
  return json;
}

/** Ends the session. */
export function logout(base: string, headers = {}): Promise<TestResponse> {
  return sendRequest(settingsUrl(base, 'logout'), { method: 'POST', headers });
}

/** Returns the cookie that a response sets, as a `Cookie` header. */
export function cookieIn({ headers }: TestResponse): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}
