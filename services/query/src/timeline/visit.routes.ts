import { access, type HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import { dayMs } from '@birdhub/shared/time';
import type { ResponseBudget } from '../response-cache/response-budget.js';
import { readyJson } from '../response-cache/response-cache.js';
import { idInPath } from '../wire.schema.js';
import { TimelineItemSchema } from './timeline.schema.js';
import { itemColumns, readTimelinePage, timelineItemsSql } from './timeline.store.js';

const schema = {
  operationId: 'getVisit',
  summary: 'Get a visit',
  description:
    'Returns the visit as in the timeline, with all of its detections. A correction may merge or split ' +
    'visits; the visit with this id may then have changed or no longer exist.',
  tags: ['timeline'],
  security: access.open,
  params: idInPath('Id of the visit'),
  response: { 200: TimelineItemSchema },
};

const reachMs = dayMs;

/** Parameters: id, limit, maximum bytes. */
const visitSql = timelineItemsSql(`SELECT ${itemColumns} FROM species_visit WHERE id = $1`, '$2', '$3');

/** `GET /visits/:id` */
export function visitRoutes(app: HubApp, { budget }: { budget: ResponseBudget }): void {
  app.get('/api/ui/visits/:id', { schema, config: { cache: {} } }, async (request) => {
    const { body, span } = await readTimelinePage(
      request.readPool,
      (maxBytes) => ({ name: 'visit', text: visitSql, values: [request.params.id, 1, maxBytes] }),
      budget,
    );
    if (!span) throw new HubError('visit_not_found');
    // Recordings shortly before and after it may become part of it.
    const recordings = { from: span.from - reachMs, to: span.to + reachMs };
    // Unwraps the list, which has one item.
    return readyJson(body.subarray(1, -1), { tags: { recordings, species: true } });
  });
}
