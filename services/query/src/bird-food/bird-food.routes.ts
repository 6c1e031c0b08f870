import { access, type HubApp } from '@birdhub/shared/app';
import type { Bell, PrismaClient } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import { Type } from 'typebox';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import {
  BirdFoodSchema,
  FoodAddedSchema,
  FoodParamsSchema,
  FoodToggledSchema,
  NewFoodSchema,
} from './bird-food.schema.js';
import { addFood, listFoods, toggleFood } from './bird-food.store.js';
import { toFoodName } from './food-name.js';

const shared = { tags: ['food'] };

const listRoute = {
  ...shared,
  operationId: 'listBirdFood',
  summary: 'List foods',
  description: 'By name.',
  security: access.open,
  response: { 200: Type.Array(BirdFoodSchema) },
};

const addRoute = {
  ...shared,
  operationId: 'addBirdFood',
  summary: 'Add a food',
  security: access.admin,
  body: NewFoodSchema,
  response: { 201: FoodAddedSchema },
};

const toggleRoute = {
  ...shared,
  operationId: 'toggleBirdFood',
  summary: 'Toggle whether a food is offered',
  description: 'Recordings from then on are linked with it, or no longer.',
  security: access.admin,
  params: FoodParamsSchema,
  response: { 200: FoodToggledSchema },
};

const allFoods: Question = {
  key: 'foods',
  answer: async (pool) => ({ answer: makeAnswer(await listFoods(pool)), scope: { foods: true } }),
};

/** `GET /birdfood`, `POST /birdfood`, `PATCH /birdfood/:id/toggle` */
export function birdFoodRoutes(
  app: HubApp,
  { answers, pool, prisma, bell }: { answers: Answers; pool: pg.Pool; prisma: PrismaClient; bell: Bell },
): void {
  app.get('/api/ui/birdfood', { schema: listRoute }, async (request, reply) =>
    sendAnswer(answers, request, reply, allFoods),
  );

  app.post('/api/ui/birdfood', { schema: addRoute }, async (request, reply) => {
    const name = toFoodName(request.body.name);
    const id = await addFood(prisma, { ...request.body, name });
    if (id === undefined) throw new HubError('conflict', { message: 'There is a food of that name.' });
    reply.code(201).header('x-hub-bell', bell.ring({ kind: 'foods' }));
    return { message: 'success', id };
  });

  app.patch('/api/ui/birdfood/:id/toggle', { schema: toggleRoute }, async (request, reply) => {
    const { id } = request.params;
    const active = await toggleFood(pool, id);
    reply.header('x-hub-bell', bell.ring({ kind: 'foods' }));
    return { message: 'success', id, active };
  });
}
