import { type Static, Type } from 'typebox';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** The response of `GET /dataset/preview`. */
export const DatasetPreviewSchema = Type.Object(
  {
    total_images: count('Number of pictures in `train` and `val`'),
    train: count('Number of pictures in `train`'),
    val: count('Number of pictures in `val`'),
    classes: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the class, as used for its folder or label' }),
        species_id: Type.Integer({ description: 'Id of the species' }),
        images: count('Number of pictures of the class; for whole frames, the number of boxes'),
      }),
      { description: 'Classes with at least one picture, sorted by name' },
    ),
    skipped: Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of detections left out by reason, as in `dataset_info.json`',
    }),
  },
  { $id: 'DatasetPreview' },
);

/** The shape of {@link DatasetPreviewSchema}. */
export type DatasetPreview = Static<typeof DatasetPreviewSchema>;
