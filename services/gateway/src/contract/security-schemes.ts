import { sessionCookie } from '@birdhub/shared/sessions';

/** How callers prove who they are; operations name these under `security`. */
export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: 'The cookie of an unlocked session. The scopes are the roles that suffice.',
  },
  mcp: { type: 'http', scheme: 'bearer', description: 'The token of `MCP_TOKEN`' },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token, made by `POST /api/ui/tokens`; `X-Processor-Token` carries it too. The scopes are those ' +
      'of which one suffices; `admin` suffices everywhere.',
  },
  processor: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Processor-Token',
    description: 'The secret of `PROCESSOR_SECRET`; asked for when that is set',
  },
} as const;
