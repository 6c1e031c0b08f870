/** Wind, traffic and footsteps are below this frequency, the song of most birds above. */
const cutoffHz = 500;

interface SoundGraph {
  readonly context: AudioContext;
  readonly source: MediaElementAudioSourceNode;
  readonly filter: BiquadFilterNode;
}

/** Kept per element, as a media element can be captured only once. */
const graphs = new WeakMap<HTMLMediaElement, SoundGraph>();

/** Routes the sound of a media element through a 500 Hz high-pass filter, or around it. */
export function setHighPass(media: HTMLMediaElement, isOn: boolean): void {
  const graph = graphs.get(media) ?? (isOn ? capture(media) : undefined);
  if (!graph) return;
  const { context, source, filter } = graph;
  source.disconnect();
  source.connect(isOn ? filter : context.destination);
  void context.resume();
}

/** Releases the audio context that {@link setHighPass} created for an element. */
export function releaseHighPass(media: HTMLMediaElement): void {
  void graphs.get(media)?.context.close();
}

function capture(media: HTMLMediaElement): SoundGraph {
  const context = new AudioContext();
  const source = context.createMediaElementSource(media);
  const filter = new BiquadFilterNode(context, { type: 'highpass', frequency: cutoffHz });
  filter.connect(context.destination);
  const graph = { context, source, filter };
  graphs.set(media, graph);
  return graph;
}
