import type { operations } from '../../api/schema';

/** Options of a data set. */
export type DatasetOptions = Required<
  Pick<
    NonNullable<operations['exportDataset']['parameters']['query']>,
    'min_confidence' | 'val_ratio' | 'split_seed' | 'min_images_per_class' | 'format'
  >
> & {
  /** Days; empty for no limit. */
  readonly start_date: string;
  readonly end_date: string;
  readonly isReviewed: boolean;
};

/** Defaults of the hub. */
export const defaultDataset: DatasetOptions = {
  start_date: '',
  end_date: '',
  isReviewed: false,
  min_confidence: 0,
  val_ratio: 0.2,
  split_seed: 42,
  min_images_per_class: 1,
  format: 'crops',
};

/** Converts options to query parameters; empty ones are omitted. */
export function toDatasetQuery({ start_date, end_date, isReviewed, ...rest }: DatasetOptions) {
  return {
    ...rest,
    ...(start_date !== '' && { start_date }),
    ...(end_date !== '' && { end_date }),
    ...(isReviewed && { only_reviewed: 'true' }),
  };
}

/** Signature of a local file header in a ZIP. */
const signature = 0x504b0304;

/** Counts the files of a ZIP stream, independent of chunk boundaries. */
export function createEntryCounter(): (piece: Uint8Array) => number {
  let entries = 0;
  let lastFour = 0;
  return (piece) => {
    for (const byte of piece) {
      lastFour = (lastFour << 8) | byte;
      if (lastFour === signature) entries += 1;
    }
    return entries;
  };
}
