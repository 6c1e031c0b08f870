import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { preferredLanguage } from '../../i18n/languages';

/** The demo, as the hub shows it. */
export type ShownDemo = components['schemas']['Demo'];

/** What the demo begins with. */
export interface DemoPlace {
  readonly timezone: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

const busyPollMs = 1_500;
const livePollMs = 60_000;

/** Returns how long until the demo is asked for again; not at all while there is none. */
function pollMs(demo: ShownDemo | undefined): number | false {
  if (demo === undefined || demo.state === 'none') return false;
  return demo.state === 'live' ? livePollMs : busyPollMs;
}

/** The demo and how far it is. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/demo', { signal })),
  refetchInterval: ({ state }) => pollMs(state.data),
  staleTime: 60_000,
});

/** Has the demo begin, or be removed. */
function useDemoChange<T>(request: (given: T) => Promise<ShownDemo>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: request,
    onSuccess: (demo) => client.setQueryData(demoQuery.queryKey, demo),
    onError: () => client.invalidateQueries({ queryKey: demoQuery.queryKey }),
  });
}

/** Starts the demo; beside the hub's own birds only when that was confirmed. */
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

/** Removes the demo with all that it brought. */
export function useRemoveDemo() {
  return useDemoChange((_: undefined) => unwrap(hub.DELETE('/api/ui/demo')));
}

/** The zone of this device. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
