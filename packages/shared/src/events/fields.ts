import { type TSchema, Type } from 'typebox';

/** The fields that event payloads are made of: ids and facts, never rows. */
export const id = (description: string) => Type.Integer({ minimum: 1, description });
export const ids = (description: string) => Type.Array(Type.Integer({ minimum: 1 }), { description });
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const flag = (description: string) => Type.Boolean({ description });
export const text = (description: string) => Type.String({ description });
export const texts = (description: string) => Type.Array(Type.String(), { description });
export const instant = (description: string) =>
  Type.String({ format: 'date-time', pattern: '(Z|\\+00:00)$', description });
export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
