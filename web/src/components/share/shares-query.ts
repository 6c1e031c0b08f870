import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';

/** Key of everything that lists shared links. */
export const sharesKey = ['shares'];

/** The shared links of the hub, the newest first. */
export const sharesQuery = queryOptions({
  queryKey: sharesKey,
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/shares', { signal })),
  retry: false,
});
