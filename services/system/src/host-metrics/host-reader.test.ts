import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHostReader, type HostProbes, type HostReading } from './host-reader.js';

const log = pino({ level: 'silent' });
const usage = (percent: number) => ({ totalBytes: 100, usedBytes: percent, percent });
const first: HostReading = {
  cpuPercent: 1,
  cpuTemperature: 30,
  memory: usage(2),
  disk: usage(3),
  gpuPercent: 4,
};
const sources: HostProbes = {
  cpuPercent: async () => 10,
  cpuTemperature: async () => 50,
  memory: async () => usage(20),
  disk: async () => usage(30),
  gpuPercent: async () => 40,
};
const never = () => new Promise<never>(() => undefined);
const fail = async () => {
  throw new Error('no such sensor');
};

describe('createHostReader', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function readWith(changed: Partial<HostProbes>): Promise<HostReading> {
    const reading = createHostReader({ ...sources, ...changed }, first, log)();
    await vi.advanceTimersByTimeAsync(3_000);
    return reading;
  }

  it('with all sources working, reads each of them', async () => {
    expect(await readWith({})).toEqual({
      cpuPercent: 10,
      cpuTemperature: 50,
      memory: usage(20),
      disk: usage(30),
      gpuPercent: 40,
    });
  });

  it.each([
    ['hang', never],
    ['fail', fail],
  ])('with sources that %s, keeps load and usage, and has null for the rest', async (_, source) => {
    expect(await readWith({ cpuPercent: source, gpuPercent: source, disk: source })).toEqual({
      cpuPercent: 1,
      cpuTemperature: 50,
      memory: usage(20),
      disk: usage(3),
      gpuPercent: null,
    });
    expect(await readWith({ cpuTemperature: source, memory: source })).toMatchObject({
      cpuTemperature: null,
      memory: usage(2),
    });
  });

  it('with a GPU that hangs, does not probe it again until it responds, and delays nothing', async () => {
    const waiting: ((percent: number) => void)[] = [];
    const gpuPercent = () => new Promise<number>((resolve) => waiting.push(resolve));
    const read = createHostReader({ ...sources, gpuPercent }, first, log);
    const hung = read();
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await hung).gpuPercent).toBeNull();
    expect(await read()).toMatchObject({ cpuPercent: 10, gpuPercent: null });
    expect(waiting).toHaveLength(1);
    waiting[0]?.(99);
    await vi.advanceTimersByTimeAsync(0);
    const next = read();
    waiting[1]?.(55);
    expect((await next).gpuPercent).toBe(55);
  });
});
