import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useHasRole } from '../session/access';
import { deviceQuery, hubTellsQuery, letHubTell } from './device-queries';
import { type DeviceState, switchOff, switchOn } from './this-device';

/** How this device stands, and what can be done about it. */
export function useDevice() {
  const queryClient = useQueryClient();
  const mayAdmin = useHasRole('admin');
  const { data: state, error, refetch } = useQuery(deviceQuery);
  const { data: hubTells } = useQuery({ ...hubTellsQuery, enabled: mayAdmin && state === 'on' });
  const keep = (changed: DeviceState) => queryClient.setQueryData(deviceQuery.queryKey, changed);
  const wake = useMutation({
    mutationFn: letHubTell,
    onSuccess: () => queryClient.setQueryData(hubTellsQuery.queryKey, true),
  });
  const on = useMutation({
    mutationFn: async () => {
      const changed = await switchOn();
      // Who may decide for the hub and wants messages wants it to send them.
      if (changed === 'on' && mayAdmin) await wake.mutateAsync();
      return changed;
    },
    onSuccess: keep,
  });
  const off = useMutation({ mutationFn: switchOff, onSuccess: keep });
  return { state, error, refetch, on, off, wake, isHubSilent: hubTells === false };
}
