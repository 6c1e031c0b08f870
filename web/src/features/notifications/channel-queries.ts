import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import type { Channel, ChannelKind } from './channel-kinds';

type Options = NonNullable<components['schemas']['NotificationChannel']['options']>;

/** What a request says of a channel. */
export interface ChannelRequest {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly options?: object;
  readonly secrets?: Record<string, string | null>;
}

/** No event tells how a channel is doing. */
const pollMs = 10_000;

/** All channels, the oldest first. */
export const channelsQuery = queryOptions({
  queryKey: ['notification-channels'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/notification-channels', { signal })),
  // Not after an error, else it would ask for the password again and again.
  refetchInterval: ({ state }) => (state.status === 'error' ? false : pollMs),
});

/** Returns the channels, for what lets people choose among them; none until they are read. */
export function useChannels(): readonly Pick<Channel, 'id' | 'kind' | 'name' | 'enabled'>[] {
  return useQuery(channelsQuery).data ?? [];
}

function useReadAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: channelsQuery.queryKey });
}

export function useSaveChannel() {
  const readAgain = useReadAgain();
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
    onSettled: readAgain,
  });
}

export function useRemoveChannel() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.DELETE('/api/ui/notification-channels/{id}', { params: { path: { id } } })),
    onSettled: readAgain,
  });
}

/** Sends a test message by a stored channel, by what is in a form, or by both. */
export function useTestChannel() {
  const readAgain = useReadAgain();
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
    onSettled: readAgain,
  });
}
