import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { addDays, type Day, startOfDay } from '../../lib/days';

export type CameraPlaces = components['schemas']['CameraPlaces'];

interface CameraQuery {
  readonly id: string;
  readonly from: Day;
  readonly to: Day;
  readonly zone: string;
}

const windowOf = ({ from, to, zone }: CameraQuery) => ({
  start_time: startOfDay(from, zone).toISOString(),
  end_time: startOfDay(addDays(to, 1), zone).toISOString(),
});

/** Visits of a camera by hour and species. */
export const activityQuery = (request: CameraQuery) =>
  queryOptions({
    queryKey: ['overview', 'camera', request],
    queryFn: ({ signal }) =>
      unwrap(
        hub.GET('/api/ui/cameras/{camera_id}/activity', {
          params: { path: { camera_id: request.id }, query: windowOf(request) },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  });

/** Where birds appeared in the picture of a camera. */
export const placesQuery = (request: CameraQuery) =>
  queryOptions({
    queryKey: ['overview', 'camera-places', request],
    queryFn: ({ signal }) =>
      unwrap(
        hub.GET('/api/ui/cameras/{camera_id}/places', {
          params: { path: { camera_id: request.id }, query: windowOf(request) },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  });

const visitCount = 6;
/** Longest range that the timeline accepts. */
const maxVisitDays = 30;

/** The latest visits of a camera in the last 30 days of the range. */
export const latestVisitsQuery = (request: CameraQuery) => {
  const earliest = addDays(request.to, 1 - maxVisitDays);
  const window = windowOf({ ...request, from: request.from < earliest ? earliest : request.from });
  const query = { ...window, camera_id: request.id, timeline_kind: 'visit', limit: visitCount } as const;
  return queryOptions({
    queryKey: ['timeline', 'camera', query],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/timeline', { params: { query }, signal })),
    placeholderData: (before) => before,
  });
};
