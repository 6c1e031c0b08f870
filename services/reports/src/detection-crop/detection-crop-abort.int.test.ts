import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import type { Crops } from './crops.js';

describe('a slow picture', () => {
  const asked: AbortSignal[] = [];
  const endless: Crops['read'] = (_videoPath, _crops, signal) => {
    asked.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const nothing = async () => undefined;
  const crops: Crops = {
    version: async () => 'one',
    readStored: nothing,
    read: endless,
    readFrames: nothing,
    drawSound: nothing,
    readSized: ({ read }, _width, signal) => read(signal),
    measure: () => undefined,
  };
  let reports: TestReports;
  let path: string;

  beforeAll(async () => {
    reports = await createTestReports({ crops });
    await reports.writer.post(aRecording({ detections: [aDetection()] }), 'test');
    const { rows } = await reports.database.pool.query('SELECT id FROM detection');
    path = `/api/ui/detections/${rows[0].id}/crop`;
    await reports.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => reports.close());

  function ask() {
    const { port } = reports.app.server.address() as AddressInfo;
    const asking = request({ port, path, agent: false }).on('error', () => {});
    asking.end();
    return asking;
  }

  it('for two clients, continues when one disconnects, and is aborted when both have', async () => {
    const [first, second] = [ask(), ask()];
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    first.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked.map(({ aborted }) => aborted)).toEqual([false]);
    second.destroy();
    await vi.waitFor(() => expect(asked.map(({ aborted }) => aborted)).toEqual([true]));
  });
});
