import { basePathConfig, commonConfig, databaseConfig } from '@birdhub/shared/config';
import { Type } from 'typebox';

const serviceUrl = (service: string) =>
  Type.String({
    pattern: '^(https?://[^/]+/?|unix:/.+)$',
    description: `Where the ${service} service listens: a URL, or \`unix:/path\` of its socket`,
  });

/** What the gateway reads from the environment. */
export const gatewayConfig = Type.Object({
  ...commonConfig,
  databaseUrl: databaseConfig.databaseUrl,
  databasePoolSize: databaseConfig.databasePoolSize,
  ingestUrl: serviceUrl('ingest'),
  queryUrl: serviceUrl('query'),
  reportsUrl: serviceUrl('reports'),
  systemUrl: serviceUrl('system'),
  ...basePathConfig,
  trustedProxies: Type.Optional(
    Type.String({
      description:
        'Addresses or networks (CIDR, comma separated) of proxies whose X-Forwarded headers are believed; this machine (`127.0.0.0/8,::1/128`) when not set, of which X-Forwarded-Host does not make a name known',
    }),
  ),
  trustedHosts: Type.String({
    default: '',
    description:
      'Names (comma separated, such as `birds.example`; `*.birds.example` for all below it, `*` for every name) that the hub accepts in the Host header, beside that of HOST, private addresses, names without a dot and names ending in `.local`, `.localhost`, `.home.arpa` or `.internal`',
  }),
  corsOrigins: Type.String({
    default: '',
    description:
      'Origins (comma separated, such as `https://birds.example:8443`) whose pages may call the hub from a browser. The session cookie reaches the hub only from origins of its own site: the same scheme and registered domain',
  }),
  mcpToken: Type.Optional(
    Type.String({
      secret: true,
      description:
        'Token with which an assistant may dispense food and connect by the Model Context Protocol',
    }),
  ),
  upstreamTimeoutSeconds: Type.Number({
    default: 60,
    exclusiveMinimum: 0,
    maximum: 3600,
    description: 'Seconds until a service must have started its response',
  }),
  upstreamIdleTimeoutSeconds: Type.Number({
    default: 120,
    exclusiveMinimum: 0,
    maximum: 3600,
    description: 'Seconds without data after which a started response of a service is cancelled',
  }),
  clientStallTimeoutSeconds: Type.Number({
    default: 30,
    minimum: 1,
    maximum: 3600,
    description:
      'Seconds after which the connection of a client is closed that reads nothing of a response, or sends less than 16 KiB of a body',
  }),
  maxConnectionsPerAddress: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 100_000,
    description:
      'Largest number of connections of one client address (of IPv6 one /64); those of trusted proxies are not counted',
  }),
  webDir: Type.Optional(
    Type.String({ description: 'Folder of the built web UI; `web/dist` of this installation when not set' }),
  ),
  contractFile: Type.Optional(
    Type.String({ description: 'The published contract; `openapi.yaml` of this installation when not set' }),
  ),
});
