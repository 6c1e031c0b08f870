import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'nats';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from './log.js';
import { startNats } from './nats-server.js';

describe('startNats', () => {
  it('on any disk, has 1 GB for streams', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'birdhub-nats-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const server = await startNats({ storeDir: join(folder, 'nats'), log: createLog('launcher', () => {}) });
    onTestFinished(() => server.stop());
    const connection = await connect({ servers: `127.0.0.1:${server.port}`, ...loginOf(server.url) });
    onTestFinished(() => connection.close());
    const { streams } = await connection.jetstreamManager();
    const create = (name: string, bytes: number) =>
      streams.add({ name, subjects: [`${name}.>`], max_bytes: bytes });
    await expect(create('large', 1024 ** 3 + 1)).rejects.toThrow('insufficient storage resources');
    await expect(create('small', 1024 ** 3)).resolves.toMatchObject({ config: { max_bytes: 1024 ** 3 } });
  });
});

function loginOf(url: string): { user: string; pass: string } {
  const { username, password } = new URL(url);
  return { user: username, pass: password };
}
