import { type DatasetRecording, readRecordings } from './dataset.store.js';
import type { WantedImage } from './dataset-image.js';
import type { DatasetPreview } from './dataset-preview.schema.js';
import { imageKinds } from './layout.js';
import { mapAhead } from './map-ahead.js';
import { type DatasetPlan, skip } from './plan-dataset.js';
import { cropOf } from './read-images.js';
import type { Split } from './split-visits.js';
import { type DatasetOrder, type DatasetSources, toChoice } from './write-dataset.js';

const recordingsAhead = 8;

interface Counted {
  readonly sides: Record<Split, number>;
  readonly birds: Map<number, number>;
}

function count({ sides, birds }: Counted, { split, labels }: WantedImage): void {
  sides[split] += 1;
  for (const {
    class: { speciesId },
  } of labels)
    birds.set(speciesId, (birds.get(speciesId) ?? 0) + 1);
}

/** What {@link writeDataset} would write, counted without decoding a video: one that turns out to be broken counts. */
export async function previewDataset(
  { readPool, crops }: DatasetSources,
  order: DatasetOrder,
  plan: DatasetPlan,
  signal: AbortSignal,
): Promise<DatasetPreview> {
  const choice = toChoice(plan, order);
  const { choose } = imageKinds[order.format];
  const lookUp = async (recording: DatasetRecording) => {
    signal.throwIfAborted();
    const images = choose(recording, choice);
    const [first] = images;
    const isThere = first && (await crops.version(recording.videoPath, cropOf(first))) !== undefined;
    return { images, isThere };
  };
  const counted: Counted = { sides: { train: 0, val: 0 }, birds: new Map() };
  const recordings = readRecordings(readPool, order.search, [...choice.classes.keys()]);
  for await (const { images, isThere } of mapAhead(recordings, recordingsAhead, lookUp)) {
    if (isThere) for (const image of images) count(counted, image);
    else skip(plan.skipped, 'media_missing', images.length);
  }
  const { sides, birds } = counted;
  const classes = plan.classes.map(({ name, speciesId }) => {
    return { name, species_id: speciesId, images: birds.get(speciesId) ?? 0 };
  });
  return {
    total_images: sides.train + sides.val,
    ...sides,
    classes: classes.filter(({ images }) => images > 0),
    skipped: plan.skipped,
  };
}
