/** A stretch of the sound of a recording, in seconds from its start. */
export interface SoundStretch {
  readonly from: number;
  readonly to: number;
}

/** Shown before and after what was heard, so that one sees it begin and end. */
const marginSeconds = 0.5;
const minSeconds = 3;

/**
 * Where the spectrogram of a whole recording lies in a frame that shows one stretch of it: width and distance to the
 * left in per cent of the frame. Undefined for a recording without length.
 */
export function placeSlice(
  { from, to }: SoundStretch,
  recordingSeconds: number,
): { readonly width: number; readonly left: number } | undefined {
  if (!(recordingSeconds > 0)) return undefined;
  const wanted = Math.max(minSeconds, to - from + 2 * marginSeconds);
  const length = Math.min(recordingSeconds, wanted);
  const start = Math.min(Math.max(0, (from + to - length) / 2), recordingSeconds - length);
  // Without the minus of a zero.
  return { width: (recordingSeconds / length) * 100, left: 0 - (start / length) * 100 };
}
