import type { operations } from '../../api/schema';

/** What a data set is asked for with. */
export type DatasetOptions = Required<
  Pick<
    NonNullable<operations['exportDataset']['parameters']['query']>,
    'min_confidence' | 'val_ratio' | 'split_seed' | 'min_images_per_class' | 'format'
  >
> & {
  /** Days of the hub; empty for the first or the last that there is. */
  readonly start_date: string;
  readonly end_date: string;
  readonly isReviewed: boolean;
};

/** As the hub has it when it is asked for nothing in particular. */
export const usualDataset: DatasetOptions = {
  start_date: '',
  end_date: '',
  isReviewed: false,
  min_confidence: 0,
  val_ratio: 0.2,
  split_seed: 42,
  min_images_per_class: 1,
  format: 'crops',
};

/** The parameters of the hub for what was chosen; those that are empty are left out. */
export function toDatasetQuery({ start_date, end_date, isReviewed, ...rest }: DatasetOptions) {
  return {
    ...rest,
    ...(start_date !== '' && { start_date }),
    ...(end_date !== '' && { end_date }),
    ...(isReviewed && { only_reviewed: 'true' }),
  };
}
