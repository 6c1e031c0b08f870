import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { preferredLanguage } from '../../i18n/languages';

/** The demo and its progress. */
export type ShownDemo = components['schemas']['Demo'];

/** Place of the demo. */
export interface DemoPlace {
  readonly timezone: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

const busyPollMs = 1_500;
const livePollMs = 60_000;

/** Returns the poll interval; false while there is no demo. */
function pollMs(demo: ShownDemo | undefined): number | false {
  if (demo === undefined || demo.state === 'none') return false;
  return demo.state === 'live' ? livePollMs : busyPollMs;
}

/** The demo and its progress, polled while there is one. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/demo', { signal })),
  refetchInterval: ({ state }) => pollMs(state.data),
  staleTime: 60_000,
});

/** Starts or removes the demo. */
function useDemoChange<T>(request: (given: T) => Promise<ShownDemo>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: request,
    onSuccess: (demo) => client.setQueryData(demoQuery.queryKey, demo),
    onError: () => client.invalidateQueries({ queryKey: demoQuery.queryKey }),
  });
}

/** Starts the demo; a hub with its own recordings requires `isConfirmed`. */
export function useStartDemo() {
  return useDemoChange(
    ({ place, isConfirmed }: { readonly place: DemoPlace; readonly isConfirmed: boolean }) =>
      unwrap(
        hub.POST('/api/ui/demo', {
          body: {
            ...place,
            language: preferredLanguage(),
            ...(isConfirmed && { beside_own_birds: true }),
          },
        }),
      ),
  );
}

/** Removes the demo with all its data. */
export function useRemoveDemo() {
  return useDemoChange((_: undefined) => unwrap(hub.DELETE('/api/ui/demo')));
}

/** Returns the IANA time zone of this device. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
