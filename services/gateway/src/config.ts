import { basePathConfig, commonConfig, databaseConfig } from '@birdhub/shared/config';
import { Type } from 'typebox';

const serviceUrl = (service: string) =>
  Type.String({ pattern: '^https?://[^/]+/?$', description: `Where the ${service} service listens` });

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
  trustedProxies: Type.String({
    default: '127.0.0.0/8,::1/128',
    description:
      'Addresses or networks (CIDR, comma separated) of proxies whose X-Forwarded headers are believed',
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
    description: 'Longest time in seconds until a service begins its answer',
  }),
  webDir: Type.Optional(
    Type.String({ description: 'Folder of the built web UI; `web/dist` of this installation when not set' }),
  ),
  contractFile: Type.Optional(
    Type.String({ description: 'The published contract; `openapi.yaml` of this installation when not set' }),
  ),
});
