import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { addDays, type Day, startOfDay } from '../../lib/days';

export type CameraPlaces = components['schemas']['CameraPlaces'];

interface Asked {
  readonly id: string;
  readonly from: Day;
  readonly to: Day;
  readonly zone: string;
}

const windowOf = ({ from, to, zone }: Asked) => ({
  start_time: startOfDay(from, zone).toISOString(),
  end_time: startOfDay(addDays(to, 1), zone).toISOString(),
});

/** Visits of a camera by hour and species. */
export const activityQuery = (asked: Asked) =>
  queryOptions({
    queryKey: ['overview', 'camera', asked],
    queryFn: ({ signal }) =>
      unwrap(
        hub.GET('/api/ui/cameras/{camera_id}/activity', {
          params: { path: { camera_id: asked.id }, query: windowOf(asked) },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  });

/** Where in the picture of a camera birds were. */
export const placesQuery = (asked: Asked) =>
  queryOptions({
    queryKey: ['overview', 'camera-places', asked],
    queryFn: ({ signal }) =>
      unwrap(
        hub.GET('/api/ui/cameras/{camera_id}/places', {
          params: { path: { camera_id: asked.id }, query: windowOf(asked) },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  });

const visitCount = 12;
/** Longest window of the timeline. */
const maxVisitDays = 30;

/** The latest visits of a camera, of the last 30 days of the range. */
export const latestVisitsQuery = (asked: Asked) => {
  const earliest = addDays(asked.to, 1 - maxVisitDays);
  const window = windowOf({ ...asked, from: asked.from < earliest ? earliest : asked.from });
  const query = { ...window, camera_id: asked.id, timeline_kind: 'visit', limit: visitCount } as const;
  return queryOptions({
    queryKey: ['timeline', 'camera', query],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/timeline', { params: { query }, signal })),
    placeholderData: (before) => before,
  });
};
