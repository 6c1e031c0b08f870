/** What the address of a recording says. */
export interface RecordingSearch {
  /** The detection that the recording opens at. */
  readonly detection?: number;
}

/** Takes from an address the detection that it may name; anything else is left out. */
export function recordingSearch({ detection }: Record<string, unknown>): RecordingSearch {
  return Number.isSafeInteger(detection) && Number(detection) > 0 ? { detection: Number(detection) } : {};
}
