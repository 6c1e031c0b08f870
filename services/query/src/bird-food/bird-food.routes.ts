import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type { ChangeNotifier, PrismaClient } from '@birdhub/shared/db';
import { errorOf, refuse } from '@birdhub/shared/errors';
import type pg from 'pg';
import { Type } from 'typebox';
import { readyJson } from '../response-cache/response-cache.js';
import { instant, orNull, text } from '../wire.schema.js';
import {
  BirdFoodSchema,
  FoodAddedSchema,
  FoodParamsSchema,
  FoodToggledSchema,
  NewFoodSchema,
} from './bird-food.schema.js';
import { addFood, findLastDispense, listFoods, toFoodName, toggleFood } from './bird-food.store.js';

/** Dependencies of these routes. */
export interface BirdFoodDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly notifier: ChangeNotifier;
  readonly settings: SettingsReader;
}

/** Routes of foods and of the feeder. */
export function birdFoodRoutes(app: HubApp, deps: BirdFoodDeps): void {
  foodRoutes(app, deps);
  feedInfoRoutes(app, deps);
}

const shared = { tags: ['food'] };

const listRoute = {
  ...shared,
  operationId: 'listBirdFood',
  summary: 'List foods',
  description: 'Returns the foods, sorted by name.',
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
  description: 'New recordings are linked to the food while it is offered.',
  security: access.admin,
  params: FoodParamsSchema,
  response: { 200: FoodToggledSchema },
};

/** `GET /birdfood`, `POST /birdfood`, `PATCH /birdfood/:id/toggle` */
function foodRoutes(app: HubApp, { pool, prisma, notifier }: BirdFoodDeps): void {
  const config = { cache: { tags: { foods: true } } } as const;
  app.get('/api/ui/birdfood', { schema: listRoute, config }, async ({ readPool }) =>
    readyJson(await listFoods(readPool)),
  );

  app.post('/api/ui/birdfood', { schema: addRoute }, async (request, reply) => {
    const name = toFoodName(request.body.name);
    const id = await addFood(prisma, { ...request.body, name });
    if (id === undefined) throw errorOf('conflict', refuse('/name', 'food_name_taken'));
    notifier.notify({ kind: 'foods' });
    reply.code(201);
    return { message: 'success', id };
  });

  app.patch('/api/ui/birdfood/:id/toggle', { schema: toggleRoute }, async (request) => {
    const { id } = request.params;
    const active = await toggleFood(pool, id);
    notifier.notify({ kind: 'foods' });
    return { message: 'success', id, active };
  });
}

const feedInfoRoute = {
  operationId: 'getFeedInfo',
  summary: 'Get the state of the feeder',
  tags: ['food'],
  security: access.open,
  response: {
    200: Type.Object(
      {
        feed_source: text('How the feeder is controlled; `none` without a feeder'),
        last_dispense_at: orNull(
          instant('When the last portion was dispensed'),
          'When the last portion was dispensed; null when there was none',
        ),
        cooldown_seconds: Type.Number({ description: 'Minimum seconds between two portions' }),
      },
      { $id: 'FeedInfo' },
    ),
  },
};

/** `GET /feed/info` */
function feedInfoRoutes(app: HubApp, { settings }: BirdFoodDeps): void {
  // Not cached, as portions do not cause change notices.
  const config = { cache: {} };
  app.get('/api/ui/feed/info', { schema: feedInfoRoute, config }, async ({ readPool }) => {
    const [{ feed }, last_dispense_at] = await Promise.all([settings.current(), findLastDispense(readPool)]);
    return { feed_source: feed.source, last_dispense_at, cooldown_seconds: feed.cooldown_seconds };
  });
}
