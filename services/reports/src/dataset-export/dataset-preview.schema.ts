import { type Static, Type } from 'typebox';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** The response of `GET /dataset/preview`. */
export const DatasetPreviewSchema = Type.Object(
  {
    total_images: count('Pictures, on both sides'),
    train: count('Pictures in `train`'),
    val: count('Pictures in `val`'),
    classes: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As its folder or label' }),
        species_id: Type.Integer({ description: 'Id of the species' }),
        images: count('Pictures of it; of whole frames the boxes in them'),
      }),
      { description: 'By name, those with at least one picture' },
    ),
    skipped: Type.Record(Type.String(), Type.Integer(), {
      description: 'What is left out, by reason, as in `dataset_info.json`',
    }),
  },
  { $id: 'DatasetPreview' },
);

/** The shape of {@link DatasetPreviewSchema}. */
export type DatasetPreview = Static<typeof DatasetPreviewSchema>;
