import { afterEach, describe, expect, it } from 'vitest';
import { createProcessorClient, type ProcessorClientOptions } from './processor-client.js';
import { ProcessorNetworkError, ProcessorResponseError } from './processor-error.js';
import type { RecordingBody } from './processor-wire.js';
import { type StubHub, type StubResponse, startStubHub } from './stub-hub.js';

const recording: RecordingBody = {
  processor_version: 'test',
  start_time: '2026-11-21T08:15:02Z',
  end_time: '2026-11-21T08:15:12Z',
  video_path: '2026/11/21/081502_garden/video.mp4',
  species: [],
};
const stored = { status: 201, body: { message: 'ok', video_id: 3, created: true } };
const away = { status: 503, body: { error: 'away', code: 'starting' }, headers: { 'retry-after': '0' } };

let hub: StubHub;
afterEach(() => hub.close());

async function clientOf(
  responses: StubResponse[],
  options: Partial<ProcessorClientOptions> = {},
  basePath = '',
) {
  hub = await startStubHub((_, requests) => responses[requests.length - 1] ?? stored);
  return createProcessorClient({ baseUrl: `${hub.baseUrl}${basePath}`, ...options });
}

describe('createProcessorClient', () => {
  it('postRecording, when accepted, sends the body with the token below the base path and returns the ids', async () => {
    const client = await clientOf([], { token: 's3cret' }, '/birds/');
    expect(await client.postRecording(recording)).toMatchObject({ video_id: 3, created: true });
    const request = hub.requests[0];
    expect(request).toMatchObject({ method: 'POST', path: '/birds/api/processor/videos', body: recording });
    expect(request?.headers).toMatchObject({
      'x-processor-token': 's3cret',
      'content-type': 'application/json',
    });
  });

  it('client, without a token, sends no token header', async () => {
    const client = await clientOf([]);
    await client.notifyMotion();
    expect(hub.requests[0]?.headers).not.toHaveProperty('x-processor-token');
  });

  it('other calls, each called once, use the method, path and body of the contract', async () => {
    const client = await clientOf([]);
    await client.putActiveSpecies(['European Robin']);
    await client.notifyDetection({ detection: 'European Robin' });
    await client.notifyMotion();
    await client.postActivity({ type: 'log', data: { lines: ['a'] } });
    await client.heartbeat();
    expect(hub.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PUT', '/api/processor/species/active', ['European Robin']],
      ['POST', '/api/processor/notify/detections', { detection: 'European Robin' }],
      ['POST', '/api/processor/notify/motion', {}],
      ['POST', '/api/processor/activity_log', { type: 'log', data: { lines: ['a'] } }],
      ['POST', '/api/processor/activity_log', expect.objectContaining({ type: 'heartbeat' })],
    ]);
  });

  it('postRecording, after a 503 and a reset connection, is repeated until it is stored', async () => {
    const client = await clientOf([away, 'reset']);
    expect(await client.postRecording(recording)).toMatchObject({ video_id: 3 });
    expect(hub.requests.map((request) => request.body)).toEqual([recording, recording, recording]);
  });

  it('postRecording, with 503 each time, gives up after three repeats', async () => {
    const client = await clientOf([away, away, away, away, away]);
    const error = await client.postRecording(recording).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProcessorResponseError);
    expect(error).toMatchObject({ status: 503, code: 'starting' });
    expect(hub.requests).toHaveLength(4);
  });

  it.each([400, 403, 413, 429])('postRecording, with status %i, fails at once', async (status) => {
    const client = await clientOf([{ status, body: { error: 'no', code: 'refused' } }]);
    await expect(client.postRecording(recording)).rejects.toMatchObject({ status, code: 'refused' });
    expect(hub.requests).toHaveLength(1);
  });

  it('postRecording, with the HTML page of a proxy as response, fails without a code', async () => {
    const client = await clientOf([{ status: 404, body: '<html>' }]);
    await expect(client.postRecording(recording)).rejects.toMatchObject({ status: 404, code: undefined });
  });

  it('postRecording, without a listener, fails with the network error', async () => {
    const client = await clientOf([], { retries: 0 });
    await hub.close();
    const error = await client.postRecording(recording).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProcessorNetworkError);
    expect(String(error)).toContain('ECONNREFUSED');
  });

  it('postRecording, aborted while it waits for a retry, ends at once', async () => {
    const abort = new AbortController();
    const slow = { ...away, headers: { 'retry-after': '30' } };
    const client = await clientOf([slow], { signal: abort.signal });
    const posting = client.postRecording(recording);
    setTimeout(() => abort.abort(), 100);
    await expect(posting).rejects.toMatchObject({ name: 'AbortError' });
    expect(hub.requests).toHaveLength(1);
  });
});
