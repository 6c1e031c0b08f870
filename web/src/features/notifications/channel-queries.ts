import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import type { Channel, ChannelKind } from './channel-kinds';

type Options = NonNullable<components['schemas']['NotificationChannel']['options']>;

/** Fields of a request that creates, changes or tests a channel. */
export interface ChannelRequest {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly options?: object;
  readonly secrets?: Record<string, string | null>;
}

/** There is no live event for the state of a channel. */
const pollMs = 10_000;

/** All channels, oldest first. */
export const channelsQuery = queryOptions({
  queryKey: ['notification-channels'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/notification-channels', { signal })),
  // Not after an error, as each attempt could ask for the password.
  refetchInterval: ({ state }) => (state.status === 'error' ? false : pollMs),
});

/** Returns the channels to choose from; empty until they are loaded. */
export function useChannels(): readonly Pick<Channel, 'id' | 'kind' | 'name' | 'enabled'>[] {
  return useQuery(channelsQuery).data ?? [];
}

function useInvalidateChannels() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: channelsQuery.queryKey });
}

export function useSaveChannel() {
  const invalidate = useInvalidateChannels();
  return useMutation({
    mutationFn: ({
      id,
      kind,
      ...body
    }: ChannelRequest & { readonly id: number | undefined; readonly kind: ChannelKind }) => {
      const { name = '', options, ...rest } = body;
      const given = { ...rest, ...(options && { options: options as Options }) };
      if (id === undefined) {
        return unwrap(hub.POST('/api/ui/notification-channels', { body: { kind, name, ...given } }));
      }
      const params = { path: { id } };
      const change = body.name === undefined ? given : { name, ...given };
      return unwrap(hub.PATCH('/api/ui/notification-channels/{id}', { params, body: change }));
    },
    onSettled: invalidate,
  });
}

export function useRemoveChannel() {
  const invalidate = useInvalidateChannels();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.DELETE('/api/ui/notification-channels/{id}', { params: { path: { id } } })),
    onSettled: invalidate,
  });
}

/** Sends a test message through a stored channel, the values of a form, or both combined. */
export function useTestChannel() {
  const invalidate = useInvalidateChannels();
  return useMutation({
    mutationFn: ({
      id,
      kind,
      options,
      secrets,
    }: ChannelRequest & { readonly id?: number; readonly kind?: ChannelKind }) =>
      unwrap(
        hub.POST('/api/ui/notification-channels/test', {
          body: {
            ...(id !== undefined && { id }),
            ...(kind && { kind }),
            ...(options && { options: options as Options }),
            ...(secrets && { secrets }),
          },
        }),
      ),
    onSettled: invalidate,
  });
}
