import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type Recording = components['schemas']['Video'];
/** A detection as a recording lists it; its times are seconds from the start of the recording. */
export type Detection = Recording['species'][number];

/** Poll interval while the file is being uploaded. */
const pendingMs = 5_000;

/** A recording with its detections; polled until its file is available. */
export const recordingQuery = (id: number) =>
  queryOptions({
    queryKey: ['video', id],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/videos/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.media === 'pending' ? pendingMs : false),
  });

/** The previous and next recording, across days, and the position within the day. */
export const neighborsQuery = (id: number) =>
  queryOptions({
    queryKey: ['neighbors', id],
    queryFn: ({ signal }) =>
      unwrap(
        hub.GET('/api/ui/videos/{id}/neighbors', {
          params: { path: { id }, query: { day_scope: 'local', cross_day: '1' } },
          signal,
        }),
      ),
  });

/** Whether it is a sighting posted without video or audio: a photo or no media at all. */
export function isSighting({ media_kind }: Pick<Recording, 'media_kind'>): boolean {
  return media_kind === 'image' || media_kind === null;
}

/** Length in seconds as the detector reported it. */
export function recordingSeconds({ start_time, end_time }: Recording): number {
  return (Date.parse(end_time) - Date.parse(start_time)) / 1000;
}
