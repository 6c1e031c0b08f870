/** How full something is, in bytes and in percent of what can be used. */
export interface Usage {
  readonly totalBytes: number;
  readonly usedBytes: number;
  readonly percent: number;
}

/** How the machine does at a moment; percentages of 0 to 100, null for what it cannot tell. */
export interface HostReading {
  readonly cpuPercent: number;
  /** °C */
  readonly cpuTemperature: number | null;
  readonly memory: Usage;
  /** The disk that holds the data folder. */
  readonly disk: Usage;
  readonly gpuPercent: number | null;
}

/** A percentage with one decimal, whatever was measured. */
export function toPercent(share: number): number {
  return Math.round(Math.min(Math.max(share, 0), 100) * 10) / 10;
}

/** How full something is of which so much is used and so much can still be. */
export function toUsage(totalBytes: number, usedBytes: number, freeBytes: number): Usage {
  const percent = toPercent((100 * usedBytes) / Math.max(usedBytes + freeBytes, 1));
  return { totalBytes, usedBytes, percent };
}
