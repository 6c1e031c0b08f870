import { isSameSecret, requireInternal } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';

/** What callers prove themselves with, as far as it is configured. */
export interface IngestSecrets {
  readonly internalSecret: string | undefined;
  readonly processorSecret: string | undefined;
}

type Check = (request: FastifyRequest) => Promise<void>;

const letIn: Check = async () => undefined;

function requireToken(secret: string): Check {
  return async ({ headers }) => {
    const given = headers['x-processor-token'];
    if (typeof given !== 'string' || !isSameSecret(given, secret)) throw new HubError('forbidden');
  };
}

/**
 * A hook that asks processors for their token when one is configured, so that they may also post past the gateway;
 * whoever else comes, must come through it.
 */
export function requireProcessor({ internalSecret, processorSecret }: IngestSecrets): Check {
  const viaGateway = internalSecret === undefined ? letIn : requireInternal(internalSecret);
  const withToken = processorSecret === undefined ? viaGateway : requireToken(processorSecret);
  return (request) => {
    const isOfProcessors = request.routeOptions.url?.startsWith('/api/processor/');
    return isOfProcessors ? withToken(request) : viaGateway(request);
  };
}
