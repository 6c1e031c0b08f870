import { type Query, QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

const maxRetries = 2;

function shouldRetry(failures: number, problem: Error): boolean {
  const isTemporary = !(problem instanceof Problem) || problem.status === 0 || problem.status >= 500;
  return isTemporary && failures < maxRetries;
}

/** Whether a query was refused because it needs the password. */
export const isLocked = ({ state: { error } }: Query): boolean =>
  error instanceof Problem && (error.status === 401 || error.status === 403);

/** Only people repeat locked queries, as that asks for the password. */
export const unlessLocked = (query: Query): boolean => !isLocked(query);

/**
 * Requests without a network fail at once: TanStack Query would send them later, and a feeder would open minutes after
 * the tap. The browser may also wrongly assume that it is offline.
 */
const networkMode = 'always';

/** Cached data is shown immediately and refetched in the background; live events invalidate it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 600_000,
      retry: shouldRetry,
      networkMode,
      refetchOnReconnect: unlessLocked,
      refetchOnWindowFocus: unlessLocked,
    },
    mutations: { retry: false, networkMode },
  },
});
