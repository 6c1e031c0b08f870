import type { HubApp } from '@birdhub/shared/app';
import type { Operation } from '@birdhub/shared/contract';
import { HubError } from '@birdhub/shared/errors';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The methods that each path knows, by its route. */
function methodsByPath(operations: readonly Operation[]): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const { pathPattern, method } of operations) {
    const ofPath = known.get(pathPattern) ?? new Set();
    ofPath.add(method);
    if (method === 'GET') ofPath.add('HEAD');
    known.set(pathPattern, ofPath);
  }
  return known;
}

/** Answers 405 with `Allow` on the paths of the contract for methods that they do not know. */
export function otherMethodRoutes(app: HubApp, operations: readonly Operation[], basePath: string): void {
  for (const [pathPattern, known] of methodsByPath(operations)) {
    const allow = methods.filter((method) => known.has(method)).join(', ');
    app.route({
      method: methods.filter((method) => !known.has(method)),
      url: basePath + pathPattern,
      schema: { hide: true },
      handler(_request, reply) {
        reply.header('allow', allow);
        throw new HubError('method_not_allowed');
      },
    });
  }
}
