import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

/** The formats of data sets. */
export const datasetFormats = ['crops', 'yolo', 'coco'] as const;

/** One of {@link datasetFormats}. */
export type DatasetFormat = (typeof datasetFormats)[number];

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Query parameters of `GET /dataset/export`. */
export const DatasetQuerySchema = Type.Object({
  start_date: text('First day of the hub, `YYYY-MM-DD`'),
  end_date: text('Last day of the hub, `YYYY-MM-DD`'),
  only_reviewed: text('`1`, `true` or `yes`: what a person has looked at'),
  min_confidence: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 1,
    description: 'Detections of at least this confidence, 0 to 1',
  }),
  val_ratio: Type.Number({
    default: 0.2,
    minimum: 0,
    maximum: 1,
    description: 'Share of the visits in `val`',
  }),
  split_seed: Type.Integer({
    default: 42,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Another seed is another split; with the same a visit stays on its side when others come',
  }),
  min_images_per_class: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Species with fewer detections are left out',
  }),
  format: literals(datasetFormats, {
    default: 'crops',
    description: '`crops`: a folder a class; `yolo`, `coco`: whole frames and boxes',
  }),
});

/** The shape of {@link DatasetQuerySchema}. */
export type DatasetQuery = Static<typeof DatasetQuerySchema>;
