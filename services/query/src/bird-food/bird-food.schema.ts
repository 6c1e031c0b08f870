import { Type } from 'typebox';
import { givenImageUrl, idInPath, imageUrl, orNull, textOrNull } from '../wire.schema.js';

/** A food for birds. */
export const BirdFoodSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the food' }),
    name: Type.String({ description: 'Name of the food' }),
    active: Type.Boolean({
      description: 'Whether the food is currently offered; new recordings are linked to the offered foods',
    }),
    description: textOrNull('Notes about the food'),
    image_url: imageUrl('Picture of the food'),
  },
  { $id: 'BirdFood' },
);

/** The path parameters of a route about one food. */
export const FoodParamsSchema = idInPath('Id of the food');

/** A food to be added. */
export const NewFoodSchema = Type.Object(
  {
    name: Type.String({ maxLength: 1_000, description: 'Unique name of the food, 1 to 100 characters' }),
    active: Type.Boolean({ default: true, description: 'Whether the food is offered from now on' }),
    description: Type.Optional(
      orNull(Type.String({ maxLength: 2_000, pattern: '^[^\\u0000\\p{Cs}]*$' }), 'Notes about the food'),
    ),
    image_url: Type.Optional(
      givenImageUrl('Picture of the food: an http or https URL, or a path on this hub'),
    ),
  },
  { additionalProperties: false },
);

/** The response to a new food. */
export const FoodAddedSchema = Type.Object({
  message: Type.String({ description: 'Human-readable result' }),
  id: Type.Integer({ description: 'Id of the food' }),
});
export const FoodToggledSchema = Type.Object({
  message: Type.String({ description: 'Human-readable result' }),
  id: Type.Integer({ description: 'Id of the food' }),
  active: Type.Boolean({ description: 'Whether the food is offered now' }),
});
