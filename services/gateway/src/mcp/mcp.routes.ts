import type { IncomingHttpHeaders } from 'node:http';
import type { HubLanguage } from '@birdhub/domain/language';
import { type HubApp, isCrossSite, type TokenScope } from '@birdhub/shared/app';
import { hubVersion } from '@birdhub/shared/config';
import type { PrismaClient } from '@birdhub/shared/db';
import { HubError, invalidField } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { accessTokenIn } from '../auth/access.js';
import { rateLimitOf, registerRateLimits } from '../edge/client-limits.js';
import { HubCalls } from './hub-calls.js';
import { createHubServer } from './mcp-server.js';

/** Dependencies of the MCP endpoint. */
export interface McpDeps {
  readonly basePath: string;
  readonly prefixOf: (request: FastifyRequest) => string;
  readonly prisma: PrismaClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly mcpToken: string | undefined;
  /** Further origins whose pages may call the hub. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly assistantSettings: () => Promise<AssistantSettings>;
}

/** The settings of assistants. */
export interface AssistantSettings {
  readonly isEnabled: boolean;
  /** The language of texts that the hub generates. */
  readonly language: HubLanguage;
  /** The public URL of the hub in the settings; empty when it is not set. */
  readonly baseUrl: string;
}

const bodyLimit = 256 * 1024;
const requestLimit = { max: 240, windowSeconds: 60 };
const tokenScopesOfMcpToken: readonly TokenScope[] = ['read', 'feeder'];
const challenge =
  'Bearer error="invalid_token", error_description="A token of this hub with the scope read is needed"';

/** `/mcp`: the Model Context Protocol over stateless HTTP, so that any gateway can handle any request. */
export async function mcpRoutes(app: HubApp, deps: McpDeps): Promise<void> {
  const { basePath, prefixOf, mcpToken, corsOrigins, assistantSettings, clock } = deps;
  await registerRateLimits(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, text, done) =>
    done(null, text),
  );
  const handler = createHandler(deps);
  app.addHook('onClose', () => handler.close());
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: `${basePath}/mcp`,
    schema: { hide: true },
    config: rateLimitOf({ limit: requestLimit }),
    handler: async (request, reply) => {
      // Required by the protocol, even with a token.
      if (isCrossSite(request, corsOrigins)) throw new HubError('csrf_rejected');
      const { isEnabled, language, baseUrl } = await assistantSettings();
      if (!isEnabled) throw new HubError('mcp_disabled');
      const caller = callerOf(request, mcpToken);
      if (!caller)
        return reply.header('www-authenticate', challenge).code(401).send(refusal('A token is needed.'));
      const body = typeof request.body === 'string' ? request.body : undefined;
      // Batches were removed in protocol 2025-06-18; each would count as one request of the rate limit.
      if (body?.trimStart().startsWith('['))
        return reply
          .code(400)
          .send(refusal('Send one message per request: batches are not supported.', -32_600));
      const ownUrl = `${request.protocol}://${request.host}${prefixOf(request)}`;
      // A zone id is valid in a header but not in a URL.
      if (!URL.canParse(ownUrl)) throw invalidField('host', 'must be a host of a URL, without a zone id');
      const hubCaller = {
        authorization: `Bearer ${caller.token}`,
        language,
        peer: request.socket.remoteAddress,
        forwarded: forwardedHeaders(request),
        publicUrl: baseUrl.replace(/\/+$/, '') || ownUrl,
      };
      const hub = new HubCalls(app, basePath, hubCaller, clock);
      const response = await handler.fetch(
        new Request(`${ownUrl}/mcp`, {
          method: request.method,
          headers: plainHeaders(request),
          ...(body !== undefined && { body }),
        }),
        { authInfo: toAuthInfo({ hub, caller, requestId: request.id }) },
      );
      return sendResponse(reply, response);
    },
  });
}

/** Returns the headers by which the calls for a request have the same client, host and prefix as the request. */
function forwardedHeaders({ headers }: FastifyRequest): IncomingHttpHeaders {
  const isForwarded = (name: string) =>
    name === 'host' || name === 'x-ingress-path' || name.startsWith('x-forwarded-');
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isForwarded(name)));
}

/** Creates the handler of the protocol, with a server for each request. */
function createHandler({ prisma, log }: McpDeps) {
  return createMcpHandler(
    ({ authInfo }) => {
      const { hub, caller, requestId } = readAuthInfo(authInfo);
      return createHubServer({
        hub,
        scopes: caller.scopes,
        version: hubVersion,
        onCall: (call) => noteCall(prisma, log, { ...call, token: caller.name }),
        onDefect: (error) => log.error({ err: error, reqId: requestId }, 'assistant tool failed'),
      });
    },
    {
      // Subscriptions are endless streams, and no resource supports them.
      maxSubscriptions: 0,
      onerror: (error) => log.debug({ err: error }, 'assistant request rejected'),
    },
  );
}

/** A request with its caller, as the server of the request needs it. */
interface McpRequest {
  readonly hub: HubCalls;
  readonly caller: NonNullable<ReturnType<typeof callerOf>>;
  readonly requestId: string;
}

/** Wraps a request in the authentication info, the only per-request data that the handler passes to its server. */
function toAuthInfo(mcpRequest: McpRequest): AuthInfo {
  const { name: clientId, scopes } = mcpRequest.caller;
  return { token: '', clientId, scopes: [...scopes], extra: { mcpRequest } };
}

function readAuthInfo(authInfo: AuthInfo | undefined): McpRequest {
  const mcpRequest = authInfo?.extra?.['mcpRequest'] as McpRequest | undefined;
  if (!mcpRequest) throw new Error('MCP request without authentication info');
  return mcpRequest;
}

/** Returns the name and the scopes of the token of a request; undefined without a valid one. */
function callerOf({ accessToken, hasMcpToken, headers }: FastifyRequest, mcpToken: string | undefined) {
  if (hasMcpToken && mcpToken) return { name: 'MCP_TOKEN', scopes: tokenScopesOfMcpToken, token: mcpToken };
  const token = accessTokenIn(headers, mcpToken);
  if (!accessToken || token === undefined) return undefined;
  const scopes = accessToken.scopes.filter((scope) => scope !== 'processor');
  if (!scopes.length)
    throw new HubError('insufficient_scope', { message: 'The token lacks the scope for this: read.' });
  return { name: accessToken.name, scopes, token };
}

const refusal = (message: string, code = -32_001) => ({ jsonrpc: '2.0', error: { code, message }, id: null });

/** Returns the headers that the protocol needs, without the token. */
function plainHeaders({ headers }: FastifyRequest): Headers {
  const read = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];
  const given = Object.entries(headers).filter(([name]) => read.includes(name) || name.startsWith('mcp-'));
  return new Headers(given.map(([name, value]): [string, string] => [name, String(value)]));
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value);
  const body = Buffer.from(await response.arrayBuffer());
  return reply.code(response.status).send(body.length ? body : undefined);
}

/** Logs a call to the activity log; a failure is reported but does not fail the call. */
function noteCall(
  prisma: PrismaClient,
  log: Logger,
  data: { tool: string; failed: boolean; token: string },
): void {
  prisma.activityLog
    .create({ data: { type: 'assistant_call', data }, select: { id: true } })
    .catch((error: unknown) => log.warn({ err: error }, 'assistant call not written to the activity log'));
}
