/** In Hz: wind, traffic and steps lie below, the song of most birds above. */
const cutoffHz = 500;

interface SoundGraph {
  readonly context: AudioContext;
  readonly source: MediaElementAudioSourceNode;
  readonly filter: BiquadFilterNode;
}

/** A media element can be captured once only. */
const graphs = new WeakMap<HTMLMediaElement, SoundGraph>();

/** Sends the sound of a media element through a high-pass at 500 Hz, or past it. */
export function setHighPass(media: HTMLMediaElement, isOn: boolean): void {
  const graph = graphs.get(media) ?? (isOn ? capture(media) : undefined);
  if (!graph) return;
  const { context, source, filter } = graph;
  source.disconnect();
  source.connect(isOn ? filter : context.destination);
  void context.resume();
}

/** Frees what {@link setHighPass} made for an element that goes. */
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
