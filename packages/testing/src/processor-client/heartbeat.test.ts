import { describe, expect, it } from 'vitest';
import { createHeartbeat } from './heartbeat.js';
import type { ActivityBody, ActivityResponse, ProcessorCommand } from './processor-wire.js';

const startedAt = new Date('2026-11-21T08:00:00Z');
const restart = { id: 5, type: 'restart' };

function createStubHub(...responses: ProcessorCommand[][]) {
  const bodies: ActivityBody[] = [];
  const post = async (body: ActivityBody): Promise<ActivityResponse> => {
    bodies.push(body);
    return { message: 'ok', id: 77, commands: responses[bodies.length - 1] ?? [] };
  };
  return { bodies, heartbeat: createHeartbeat(post, startedAt) };
}

describe('createHeartbeat', () => {
  it('heartbeat, the first, sends started_at and the facts without an id', async () => {
    const hub = createStubHub();
    await hub.heartbeat({ mqtt_connected: true });
    expect(hub.bodies).toEqual([
      {
        type: 'heartbeat',
        data: { mqtt_connected: true, started_at: '2026-11-21T08:00:00.000Z', acked_commands: [] },
      },
    ]);
  });

  it('heartbeat, after the first response, sends the row id', async () => {
    const hub = createStubHub();
    await hub.heartbeat();
    await hub.heartbeat();
    expect(hub.bodies.map((body) => body.id)).toEqual([undefined, 77]);
  });

  it('two heartbeats, sent at once, are posted in order and share one row', async () => {
    const hub = createStubHub();
    await Promise.all([hub.heartbeat(), hub.heartbeat()]);
    expect(hub.bodies.map((body) => body.id)).toEqual([undefined, 77]);
  });

  it('a command, in a response, is returned once and acknowledged in the next heartbeat', async () => {
    const hub = createStubHub([restart]);
    expect(await hub.heartbeat()).toEqual([restart]);
    expect(await hub.heartbeat()).toEqual([]);
    await hub.heartbeat();
    expect(hub.bodies.map((body) => body.data['acked_commands'])).toEqual([[], [5], []]);
  });

  it('a command, repeated by the hub, is acknowledged again and not returned again', async () => {
    const hub = createStubHub([restart], [restart]);
    await hub.heartbeat();
    expect(await hub.heartbeat()).toEqual([]);
    await hub.heartbeat();
    expect(hub.bodies.map((body) => body.data['acked_commands'])).toEqual([[], [5], [5]]);
  });

  it('heartbeat, after a failed one, sends its acknowledgements again', async () => {
    let calls = 0;
    const bodies: ActivityBody[] = [];
    const heartbeat = createHeartbeat(async (body) => {
      calls += 1;
      if (calls === 2) throw new Error('away');
      bodies.push(body);
      return { message: 'ok', id: 1, commands: calls === 1 ? [restart] : [] };
    }, startedAt);
    await heartbeat();
    await expect(heartbeat()).rejects.toThrow('away');
    await heartbeat();
    expect(bodies.at(-1)).toMatchObject({ id: 1, data: { acked_commands: [5] } });
  });
});
