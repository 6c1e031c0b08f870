import { createNatsBus } from '@birdhub/shared/bus';
import { createOutboxRelay } from '@birdhub/shared/outbox';
import { aRecording, createTestDatabase, createTestWriter, startTestNats } from '@birdhub/testing';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { startQuery } from '../start.js';
import { listen } from '../testing/listen.js';

const log = pino({ level: 'silent' });
const start = Date.UTC(2026, 4, 1, 8);

it('GET /events of a whole service, recordings are posted and deleted, a listener hears of what was committed', async () => {
  const [database, nats] = [await createTestDatabase(), await startTestNats()];
  const service = await startQuery({
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    LOG_LEVEL: 'silent',
  });
  const bus = createNatsBus({ url: nats.url, name: 'test', log });
  const relay = createOutboxRelay({ pool: database.pool, bus, log });
  relay.start();
  const { writer } = createTestWriter(database.pool);
  try {
    const listener = await listen(`${service.url}/api/ui/events`);
    const { videoId } = await writer.post(aRecording({ start }), 'test');
    await writer.post(aRecording({ start: start + 30_000 }), 'test');
    await writer.remove(videoId, { role: 'contributor', requestId: 'test' });
    relay.wake();
    await listener.heard(5);
    // Events of different recordings overtake each other.
    expect(listener.events.map((event) => event.name).toSorted()).toEqual([
      'recording',
      'recording',
      'recording_removed',
      'visit_extended',
      'visit_started',
    ]);
    const started = listener.events.find((event) => event.name === 'visit_started');
    expect(started?.data).toMatchObject({ video_id: videoId, species_name: 'Great Tit' });
    expect(await (await fetch(`${service.url}/internal/readiness`)).json()).toMatchObject({ broker: 'ok' });
    await service.close();
    await vi.waitUntil(() => listener.hasEnded(), { timeout: 5_000 });
  } finally {
    await service.close();
    await relay.stop();
    await bus.close();
    await nats.stop();
    await database.drop();
  }
});
