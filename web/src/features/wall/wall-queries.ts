import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { type Day, startOfDay } from '../../lib/days';

const dayMs = 86_400_000;
/** How many days back to look for the last visit if there is none today. */
const lastDays = 14;

/** The visits of a day, newest first, of all cameras or a single one. */
export const wallVisitsQuery = (date: Day, camera: string | undefined) =>
  queryOptions({
    queryKey: ['timeline', 'wall', date, camera ?? null],
    queryFn: ({ signal }) => {
      const query = {
        date,
        timeline_kind: 'visit',
        group: 'bird',
        ...(camera && { camera_id: camera }),
      } as const;
      return unwrap(hub.GET('/api/ui/timeline', { params: { query }, signal }));
    },
  });

/** The latest visits before a day. */
export const earlierVisitsQuery = (date: Day, zone: string, camera: string | undefined) =>
  queryOptions({
    queryKey: ['timeline', 'wall', 'before', date, zone, camera ?? null],
    queryFn: ({ signal }) => {
      const end = startOfDay(date, zone).getTime();
      const query = {
        start_time: new Date(end - lastDays * dayMs).toISOString(),
        end_time: new Date(end).toISOString(),
        timeline_kind: 'visit',
        group: 'bird',
        limit: 20,
        ...(camera && { camera_id: camera }),
      } as const;
      return unwrap(hub.GET('/api/ui/timeline', { params: { query }, signal }));
    },
  });
