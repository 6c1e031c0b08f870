import type { RouteLimit } from '@birdhub/shared/app';
import { parse } from 'yaml';

/** The HTTP methods of the contract. */
export const contractMethods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

/** OpenAPI security requirements: the roles with access, by scheme. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** One operation of the published contract. */
export interface Operation {
  readonly operationId: string;
  /** In upper case. */
  readonly method: string;
  /** As published: `/api/ui/videos/{id}`. */
  readonly path: string;
  /** As a route: `/api/ui/videos/:id`. */
  readonly pathPattern: string;
  /** The service that implements it. */
  readonly service: string;
  readonly security: Security;
  /** Whether the last parameter matches the rest of the path. */
  readonly isWildcard: boolean;
  /** Whether the response is endless: server-sent events or motion JPEG. */
  readonly isEventStream: boolean;
  /** Set if all responses are pictures, which pages of other sites may embed. */
  readonly isPicture?: true;
  /** Whether the response is a file: a picture, a video, an archive, a table. */
  readonly isFile: boolean;
  /** Set if the body is a file of any size, which is streamed. */
  readonly isUpload?: true;
  readonly limit?: RouteLimit;
}

/** The parts of `openapi.yaml` that the gateway uses. */
export interface Contract {
  readonly version: string;
  readonly operations: readonly Operation[];
}

interface OperationObject {
  readonly operationId?: string;
  readonly security?: Security;
  readonly 'x-hub-service'?: string;
  readonly 'x-hub-wildcard'?: boolean;
  readonly 'x-hub-limit'?: { readonly max: number; readonly window_seconds: number };
  readonly requestBody?: { readonly content?: object };
  readonly responses?: Readonly<Record<string, { readonly content?: object }>>;
}

interface ContractDocument {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject | undefined>>>>;
}

/**
 * Reads the text of `openapi.yaml`.
 * @throws when an operation has no id, no service or no access rule
 */
export function readContract(yamlText: string): Contract {
  const { info, paths } = parse(yamlText) as ContractDocument;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    contractMethods.flatMap((method) => {
      const object = item[method];
      return object ? [toOperation(method.toUpperCase(), path, object)] : [];
    }),
  );
  return { version: info.version, operations };
}

/** Media types of responses that are not files. */
const nonFileTypes = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:plain|yaml|html|event-stream))/;

/** Media types of endless responses. */
const endless: ReadonlySet<string> = new Set(['text/event-stream', 'multipart/x-mixed-replace']);

function toOperation(method: string, path: string, object: OperationObject): Operation {
  const { operationId, security, 'x-hub-service': service, 'x-hub-wildcard': isWildcard = false } = object;
  const { 'x-hub-limit': limit, requestBody, responses } = object;
  if (!operationId || !service || !security) {
    throw new Error(`${method} ${path} has no operationId, x-hub-service or security in the contract`);
  }
  const pathPattern = toPathPattern(path, isWildcard);
  const mediaTypes = Object.keys(responses?.['200']?.content ?? {});
  const isEventStream = mediaTypes.some((type) => endless.has(type));
  const isPicture = mediaTypes.length > 0 && mediaTypes.every((type) => type.startsWith('image/'));
  const isFile = mediaTypes.some((type) => !nonFileTypes.test(type));
  const isUpload = Object.keys(requestBody?.content ?? {}).includes('application/octet-stream');
  const kind = {
    isWildcard,
    isEventStream,
    isFile,
    ...(isPicture && ({ isPicture } as const)),
    ...(isUpload && ({ isUpload } as const)),
  };
  const operation = { operationId, method, path, pathPattern, service, security, ...kind };
  return limit ? { ...operation, limit: { max: limit.max, windowSeconds: limit.window_seconds } } : operation;
}

/** Returns the route pattern of a published path; with `isWildcard` the last parameter matches the rest of the path. */
export function toPathPattern(path: string, isWildcard: boolean): string {
  const open = isWildcard ? path.replace(/\{path\}$/, '*') : path;
  return open.replace(/\{(\w+)\}/g, ':$1');
}
