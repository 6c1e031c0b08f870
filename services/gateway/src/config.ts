import { basePathConfig, commonConfig, databaseConfig } from '@birdhub/shared/config';
import { Type } from 'typebox';

const serviceUrl = (service: string) =>
  Type.String({
    pattern: '^(https?://[^/]+/?|unix:/.+)$',
    description: `Address of the ${service} service: a URL, or \`unix:/path\` of its socket`,
  });

/** The environment variables of the gateway. */
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
        'Addresses or networks (CIDR) of proxies whose X-Forwarded headers are trusted, separated by ' +
        'commas. Defaults to this machine (`127.0.0.0/8,::1/128`), whose X-Forwarded-Host does not ' +
        'add an accepted host name',
    }),
  ),
  trustedHosts: Type.String({
    default: '',
    description:
      'Names that the hub accepts in the Host header, separated by commas, such as `birds.example`; ' +
      '`*.birds.example` accepts all names below it, `*` accepts every name. The name in HOST, private ' +
      'addresses, names without a dot, and names ending in `.local`, `.localhost`, `.home.arpa` or ' +
      '`.internal` are always accepted',
  }),
  corsOrigins: Type.String({
    default: '',
    description:
      'Origins whose pages may call the hub from a browser, separated by commas, such as ' +
      '`https://birds.example:8443`. The session cookie is only sent from origins of the same site as the ' +
      'hub, with the same scheme and registered domain',
  }),
  mcpToken: Type.Optional(
    Type.String({
      secret: true,
      description:
        'Token with which an assistant may dispense food and connect over the Model Context Protocol',
    }),
  ),
  upstreamTimeoutSeconds: Type.Number({
    default: 60,
    exclusiveMinimum: 0,
    maximum: 3600,
    description: 'Maximum seconds until a service starts its response',
  }),
  upstreamIdleTimeoutSeconds: Type.Number({
    default: 120,
    exclusiveMinimum: 0,
    maximum: 3600,
    description: 'Seconds without data after which a response of a service that has started is cancelled',
  }),
  clientStallTimeoutSeconds: Type.Number({
    default: 30,
    minimum: 1,
    maximum: 3600,
    description:
      'Seconds after which a connection is closed when its client reads nothing of a response or sends ' +
      'less than 16 KiB of a body',
  }),
  maxConnectionsPerAddress: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 100_000,
    description:
      'Maximum number of connections per client address (per /64 network for IPv6); connections of ' +
      'trusted proxies are not counted',
  }),
  webDir: Type.Optional(
    Type.String({ description: 'Folder of the built web UI; defaults to `web/dist` of this installation' }),
  ),
  contractFile: Type.Optional(
    Type.String({
      description: 'Path of the published API contract; defaults to `openapi.yaml` of this installation',
    }),
  ),
});
