import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startGateway } from '@birdhub/gateway';
import type { RunningService, TokenScope } from '@birdhub/shared/app';
import { openSession, type SessionRole } from '@birdhub/shared/sessions';
import { createTestDatabase, storeSettings } from '@birdhub/testing';

/** The MCP token of every {@link AccessHub}. */
export const mcpToken = 't0ken';

/** A gateway with its own database, in front of stub services that echo the caller. */
export interface AccessHub {
  readonly gateway: RunningService;
  /** Opens a session and returns its `Cookie` header. */
  openSession(role: SessionRole): Promise<string>;
  /** Creates a token as the administrator, who needs no session when no password is set. */
  createToken(scopes: readonly TokenScope[]): Promise<{ id: number; token: string }>;
  /** Creates a token that is no longer valid. */
  createInvalidToken(how: 'expired' | 'revoked'): Promise<string>;
  close(): Promise<void>;
}

const services = ['INGEST_URL', 'QUERY_URL', 'REPORTS_URL', 'SYSTEM_URL'];

async function startEcho(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('x-echo-caller', String(request.headers['x-hub-caller'])).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Starts a gateway with these passwords in its settings; an empty string means no password. */
export async function startAccessHub(stored: Readonly<Record<SessionRole, string>>): Promise<AccessHub> {
  const database = await createTestDatabase();
  const general = { settings_password: stored.admin, contributor_password: stored.contributor };
  await storeSettings(database.pool, { general });
  const echo = await startEcho();
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const gateway = await startGateway({
    ...Object.fromEntries(services.map((name) => [name, url])),
    DATABASE_URL: database.url,
    MCP_TOKEN: mcpToken,
    // Each call can then come from a different client address.
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'silent',
  });
  const openSessionAs = async (role: SessionRole) => {
    const session = { role, storedPassword: stored[role], replacedTokens: [] };
    return `hub_session=${await openSession(database.pool, session)}`;
  };
  let tokens = 0;

  async function createToken(scopes: readonly TokenScope[]) {
    tokens += 1;
    const session: Record<string, string> = stored.admin ? { cookie: await openSessionAs('admin') } : {};
    const response = await fetch(`${gateway.url}/api/ui/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...session },
      body: JSON.stringify({ name: `token ${tokens}`, scopes }),
    });
    if (response.status !== 201) throw new Error(await response.text());
    return (await response.json()) as { id: number; token: string };
  }

  async function createInvalidToken(how: 'expired' | 'revoked') {
    const { id, token } = await createToken(['admin']);
    const sql = {
      expired: `UPDATE access_token SET expires_at = now() - interval '1 second' WHERE id = $1`,
      revoked: 'DELETE FROM access_token WHERE id = $1',
    };
    await database.pool.query(sql[how], [id]);
    return token;
  }

  return {
    gateway,
    openSession: openSessionAs,
    createToken,
    createInvalidToken,
    async close() {
      await gateway.close();
      echo.close().closeAllConnections();
      await database.drop();
    },
  };
}
