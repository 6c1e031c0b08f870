import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';

/** Query key of the shared links. */
export const sharesKey = ['shares'];

/** The shared links of the hub, newest first. */
export const sharesQuery = queryOptions({
  queryKey: sharesKey,
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/shares', { signal })),
  retry: false,
});
