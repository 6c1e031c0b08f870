import { Type } from 'typebox';
import { givenImageUrl, idInPath, imageUrl, orNull, textOrNull } from '../wire.schema.js';

/** A food for birds. */
export const BirdFoodSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the food' }),
    name: Type.String({ description: 'Name of the food' }),
    active: Type.Boolean({
      description: 'Whether it is offered now; new recordings are linked with it then',
    }),
    description: textOrNull('Notes about it'),
    image_url: imageUrl('A picture of it'),
  },
  { $id: 'BirdFood' },
);

/** The path parameters of a route about one food. */
export const FoodParamsSchema = idInPath('Id of the food');

/** A food to be added. */
export const NewFoodSchema = Type.Object(
  {
    name: Type.String({ maxLength: 1_000, description: '1 to 100 characters; two foods never share one' }),
    active: Type.Boolean({ default: true, description: 'Whether it is offered from now on' }),
    description: Type.Optional(
      orNull(Type.String({ maxLength: 2_000, pattern: '^[^\\u0000\\p{Cs}]*$' }), 'Notes about it'),
    ),
    image_url: Type.Optional(givenImageUrl('A picture of it: http, https or a path of this hub')),
  },
  { additionalProperties: false },
);

/** The response to a new food. */
export const FoodAddedSchema = Type.Object({
  message: Type.String({ description: 'What was done, for a person' }),
  id: Type.Integer({ description: 'Id of the food' }),
});
export const FoodToggledSchema = Type.Object({
  message: Type.String({ description: 'What was done, for a person' }),
  id: Type.Integer({ description: 'Id of the food' }),
  active: Type.Boolean({ description: 'Whether it is offered now' }),
});
