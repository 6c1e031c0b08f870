import type { MediaFacts, ToolWork } from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import { drawSpectrogram, planSpectrogram } from './draw-spectrogram.js';
import { placeSpectrogram } from './place-spectrogram.js';

/** What pictures of sound are made with. */
export interface SpectrogramParts {
  readonly recordingsDir: string;
  readonly tools: { readonly ffmpegPath: string };
  readonly writer: Pick<RecordingWriter, 'noteSpectrogram'>;
}

/** A recording whose sound is to be drawn. */
export interface SoundedVideo {
  readonly id: number;
  readonly videoPath: string;
  readonly facts: MediaFacts;
}

/** Draws the sound of a recording beside its video; answers whether it could be decoded. */
export async function makeSpectrogram(
  { recordingsDir, tools, writer }: SpectrogramParts,
  { id, videoPath, facts }: SoundedVideo,
  work: ToolWork,
): Promise<boolean> {
  if (facts.seconds === undefined) return false;
  const plan = planSpectrogram(facts.seconds);
  const bytes = await drawSpectrogram(tools.ffmpegPath, plan, work);
  if (!bytes) return false;
  const path = await placeSpectrogram(recordingsDir, videoPath, plan.pxPerSecond, bytes);
  const { isKept } = await writer.noteSpectrogram(id, path);
  return isKept;
}
