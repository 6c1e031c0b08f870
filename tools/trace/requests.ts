import { createProcessorClient } from '@birdhub/testing/processor-client/processor-client';

/** A request that is traced. */
export interface TracedRequest {
  readonly name: string;
  /** The service behind the gateway that handles it, and the maximum number of files there. */
  readonly service: string;
  readonly maxFiles: number;
  /** Sends it; `number` makes each one different. */
  send(baseUrl: string, number: number): Promise<void>;
}

const dayOf = (number: number) => `2026-05-${String(number + 1).padStart(2, '0')}`;

async function postRecording(baseUrl: string, number: number): Promise<void> {
  const day = dayOf(number);
  await createProcessorClient({ baseUrl, retries: 0 }).postRecording({
    processor_version: 'trace',
    camera_id: 'garden',
    video_path: `${day.replaceAll('-', '/')}/080000/video.mp4`,
    start_time: `${day}T08:00:00Z`,
    end_time: `${day}T08:00:20Z`,
    species: [
      {
        species_name: 'Great Tit',
        confidence: 0.91,
        start_time: 1,
        end_time: 9,
        source: 'video',
        track_id: 1,
        frames: [{ t: 1, bbox: [0.2, 0.2, 0.4, 0.4] }],
      },
      { species_name: 'European Robin', confidence: 0.8, start_time: 11, end_time: 14, source: 'audio' },
    ],
  });
}

async function fetchOk(url: string, init?: RequestInit): Promise<void> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init?.method ?? 'GET'} ${url}: ${response.status} ${text}`);
}

/** The requests in the order in which they are sent; each day of the recordings is read once in the timeline. */
export const tracedRequests: readonly TracedRequest[] = [
  { name: 'a posted recording', service: 'ingest', maxFiles: 38, send: postRecording },
  {
    name: 'a cold timeline read',
    service: 'query',
    maxFiles: 20,
    send: (baseUrl, number) => fetchOk(`${baseUrl}/api/ui/timeline?date=${dayOf(number)}`),
  },
  {
    name: 'a changed setting',
    service: 'system',
    maxFiles: 24,
    send: (baseUrl, number) =>
      fetchOk(`${baseUrl}/api/ui/settings`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ general: { app_name: `Hub ${number}` } }),
      }),
  },
];
