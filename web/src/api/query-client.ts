import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

const mostTries = 2;

function mayHelpToRetry(failures: number, problem: Error): boolean {
  const isPassing = !(problem instanceof Problem) || problem.status === 0 || problem.status >= 500;
  return isPassing && failures < mostTries;
}

/** Answers are shown at once and asked anew in the background; live news makes those stale that it is about. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, gcTime: 600_000, retry: mayHelpToRetry },
    mutations: { retry: false },
  },
});
