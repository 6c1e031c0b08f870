import { openSession, type SessionRole } from '@birdhub/shared/sessions';
import { createTestDatabase, type TestDatabase } from '@birdhub/shared/testing';
import { type Answer, ask } from './ask.js';
import { startTestGateway, type TestGateway } from './gateway.js';
import { openPasswords, storePasswords, type TestPasswords } from './passwords.js';

type GatewayOptions = Partial<Parameters<typeof startTestGateway>[0]>;

/** A database with passwords, and gateways that stand before it. */
export interface GuardedHub {
  readonly database: TestDatabase;
  readonly passwords: Awaited<ReturnType<typeof openPasswords>>['passwords'];
  /** Starts a gateway that follows the passwords. */
  start(options?: GatewayOptions): Promise<TestGateway>;
  /** Sets the passwords, and other general settings, as all gateways know them from here on. */
  set(passwords: TestPasswords, others?: Readonly<Record<string, unknown>>): Promise<void>;
  /** A new session, as a `Cookie` header. */
  cookieOf(role: SessionRole): Promise<string>;
  close(): Promise<void>;
}

/** Opens a hub that is guarded once {@link GuardedHub.set} says so. */
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
      const storedPassword = passwords.now()?.[role] ?? '';
      return `hub_session=${await openSession(database.pool, { role, storedPassword, insteadOf: [] })}`;
    },
    async close() {
      for (const gateway of gateways) await gateway.close();
      await stopFollowing();
      await database.drop();
    },
  };
}

const below = (base: string, path: string) => `${base}/api/ui/settings/${path}`;

/** Sends a password. */
export function verify(base: string, password: unknown, headers = {}): Promise<Answer> {
  const body = JSON.stringify({ password });
  const type = { 'content-type': 'application/json' };
  return ask(below(base, 'verify-password'), { method: 'POST', headers: { ...type, ...headers }, body });
}

/** What a hub says of who shows this cookie. */
export async function checkAccess(base: string, cookie?: string): Promise<Record<string, unknown>> {
  const { status, json } = await ask(below(base, 'check-access'), { headers: cookie ? { cookie } : {} });
  if (status !== 200) throw new Error(`check-access answered ${status}`);
  return json;
}

/** Locks the hub again. */
export function logout(base: string, headers = {}): Promise<Answer> {
  return ask(below(base, 'logout'), { method: 'POST', headers });
}

/** The cookie that an answer gives, as it is sent back. */
export function cookieIn({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}
