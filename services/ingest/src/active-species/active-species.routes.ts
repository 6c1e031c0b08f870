import { access, type HubApp } from '@birdhub/shared/app';
import { invalidRequest } from '@birdhub/shared/validation';
import { Type } from 'typebox';
import { isName } from '../plain-text.js';
import { requireEveryCamera } from '../processor-auth.js';
import type { SpaceGuard } from '../space-guard.js';
import type { ActiveSpeciesStore } from './active-species.store.js';

const schema = {
  operationId: 'putActiveSpecies',
  summary: 'Replace the set of active species',
  description:
    'Creates species with unknown names. An empty list changes nothing. Access tokens that are limited to ' +
    'cameras cannot use it.',
  tags: ['processor'],
  security: access.processor,
  body: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20_000 }),
  response: {
    200: Type.Object({
      message: Type.String({ description: 'Human-readable result' }),
      active_feeder_names: Type.Array(Type.String(), {
        description: 'Names of the active species, as stored in the hub',
      }),
    }),
  },
};

/** Dependencies of this route. */
interface ActiveSpeciesRoutesDeps {
  readonly activeSpecies: ActiveSpeciesStore;
  readonly space: Pick<SpaceGuard, 'requireSpace'>;
}

/** `PUT /species/active` */
export function activeSpeciesRoutes(app: HubApp, { activeSpecies, space }: ActiveSpeciesRoutesDeps): void {
  app.put(
    '/species/active',
    { schema, bodyLimit: 16 * 1024 * 1024, preHandler: requireEveryCamera },
    async (request) => {
      const details = request.body.flatMap((name, index) =>
        isName(name) ? [] : [{ path: `/${index}`, message: 'must be a name' }],
      );
      if (details.length) throw invalidRequest(details.slice(0, 20));
      space.requireSpace();
      const names = await activeSpecies.replace(request.body, request.id);
      return { message: 'success', active_feeder_names: names };
    },
  );
}
