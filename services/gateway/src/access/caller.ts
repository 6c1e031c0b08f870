import type { Operation } from '@birdhub/shared/contract';

/** Who is calling, as the services are told in `x-hub-caller`. */
export type Caller = 'viewer' | 'contributor' | 'admin' | 'mcp' | 'processor';

/** Who calls an operation of a hub without passwords: processors their own surface, everybody the rest as admin. */
export function openCaller({ security }: Pick<Operation, 'security'>): Caller {
  return security.some((requirement) => 'processor' in requirement) ? 'processor' : 'admin';
}
