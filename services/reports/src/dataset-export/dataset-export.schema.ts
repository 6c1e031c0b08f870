import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

/** The formats of data sets. */
const datasetFormats = ['crops', 'yolo', 'coco'] as const;

/** One of {@link datasetFormats}. */
export type DatasetFormat = (typeof datasetFormats)[number];

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Query parameters of `GET /dataset/export`. */
export const DatasetQuerySchema = Type.Object({
  start_date: text('First day, `YYYY-MM-DD` in the time zone of the hub'),
  end_date: text('Last day (inclusive), `YYYY-MM-DD` in the time zone of the hub'),
  only_reviewed: text('`1`, `true` or `yes`: only reviewed detections'),
  min_confidence: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 1,
    description: 'Minimum confidence of the detections, 0 to 1',
  }),
  val_ratio: Type.Number({
    default: 0.2,
    minimum: 0,
    maximum: 1,
    description: 'Fraction of the visits in `val`, 0 to 1',
  }),
  split_seed: Type.Integer({
    default: 42,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Seed of the split. With the same seed, a visit stays in `train` or `val` when visits are added',
  }),
  min_images_per_class: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Minimum number of detections per species; species with fewer are left out',
  }),
  format: literals(datasetFormats, {
    default: 'crops',
    description: '`crops`: cropped pictures, one folder per class; `yolo`, `coco`: whole frames with boxes',
  }),
});

/** The shape of {@link DatasetQuerySchema}. */
export type DatasetQuery = Static<typeof DatasetQuerySchema>;
