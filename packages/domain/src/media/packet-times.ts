/** A frame as it lies in a file. */
export interface Packet {
  /** Presentation time in ticks of the stream. */
  readonly pts: number;
  /** The same in seconds from the start of the file. */
  readonly seconds: number;
  /** Whether it can be decoded without others. */
  readonly isKey: boolean;
}

const longestGapSeconds = 10;
const mostAtOnce = 32;

/** The packets that `ffprobe` lists as `packet,<pts>,<seconds>,<flags>`, by time; `start` is that of the file. */
export function parsePackets(listing: string, start: number): Packet[] {
  const packets: Packet[] = [];
  for (const line of listing.split('\n')) {
    const [section, pts = '', time = '', flags = ''] = line.split(',');
    const isShown = section === 'packet' && /^-?\d+$/.test(pts) && !flags.includes('D');
    if (isShown)
      packets.push({ pts: Number(pts), seconds: Number(time) - start, isKey: flags.startsWith('K') });
  }
  return packets.sort((one, other) => one.pts - other.pts);
}

/** The packet nearest to a time, the earlier of two; undefined when there is none. */
export function nearestPacket(packets: readonly Packet[], seconds: number): Packet | undefined {
  let nearest = packets[0];
  for (const packet of packets) {
    if (nearest && Math.abs(packet.seconds - seconds) < Math.abs(nearest.seconds - seconds)) nearest = packet;
  }
  return nearest;
}

/** The last packet up to this one, itself included, that can be decoded alone. */
export function keyPacketBefore(packets: readonly Packet[], { pts }: Packet): Packet | undefined {
  return packets.findLast((packet) => packet.isKey && packet.pts <= pts);
}

/** A time and its place in the list that it stands in. */
export interface PlacedTime {
  readonly index: number;
  readonly seconds: number;
}

/** Times in order, cut where decoding what lies between would cost more than a new start; no run is empty. */
export function toRuns(times: readonly number[]): PlacedTime[][] {
  const ordered = times
    .map((seconds, index) => ({ index, seconds }))
    .sort((one, other) => one.seconds - other.seconds);
  const runs: PlacedTime[][] = [];
  for (const placed of ordered) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNear = last && placed.seconds - last.seconds <= longestGapSeconds;
    if (run && isNear && run.length < mostAtOnce) run.push(placed);
    else runs.push([placed]);
  }
  return runs;
}
