import type { Readable } from 'node:stream';
import {
  applyTidy,
  checklistSources,
  findLastTidy,
  listChecklists,
  loadChecklist,
  planTidy,
  readChecklist,
  removeChecklist,
  resolveLabel,
  type SpeciesDirectory,
  type SpeciesEditor,
  type TidyStep,
  undoTidy,
} from '@birdhub/domain/species';
import { access, callerTokenOf, type HubApp } from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import type { ChangeNotifier } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import { Type } from 'typebox';
import { idInPath } from '../wire.schema.js';
import {
  ChecklistSchema,
  LoadedChecklistSchema,
  ResolvedLabelSchema,
  ResolveQuerySchema,
  TidiedSchema,
  TidyPlanSchema,
  UndoneTidySchema,
} from './species-names.schema.js';

/** Dependencies of these routes. */
export interface SpeciesNamesDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly speciesEditor: SpeciesEditor;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
}

/** Routes for the meaning of labels, checklists, and the repair of species. */
export function speciesNamesRoutes(app: HubApp, deps: SpeciesNamesDeps): void {
  resolveRoutes(app, deps);
  checklistRoutes(app, deps);
  tidyRoutes(app, deps);
}

const resolveRoute = {
  operationId: 'resolveSpeciesLabel',
  summary: 'Get the species of a label',
  description: 'Returns the species that a detection with this label would have. Nothing is created.',
  tags: ['species'],
  security: access.open,
  querystring: ResolveQuerySchema,
  response: { 200: ResolvedLabelSchema },
};

/** `GET /species/resolve` */
function resolveRoutes(app: HubApp, deps: SpeciesNamesDeps): void {
  app.get('/api/ui/species/resolve', { schema: resolveRoute }, async ({ query }) => {
    const found = await resolveLabel(deps, query.label, query.source);
    return {
      label: found.label,
      group: found.group,
      species_id: found.speciesId,
      name: found.name,
      scientific_name: found.scientificName,
      ebird_code: found.ebirdCode,
      family: found.family,
      plumage: found.plumage,
      matched_by: found.matchedBy,
      checklist: found.checklist,
    };
  });
}

const admin = { tags: ['species'], security: access.admin };

const listRoute = {
  operationId: 'listChecklists',
  summary: 'List the loaded checklists',
  tags: ['species'],
  security: access.open,
  response: { 200: Type.Array(ChecklistSchema) },
};

const loadRoute = {
  ...admin,
  operationId: 'loadChecklist',
  summary: 'Store a world checklist',
  description:
    'The body is the file in UTF-8, at most 16 MB: AviList (tab-separated, or its spreadsheet saved as ' +
    'CSV), the eBird taxonomy as CSV, or the multilingual IOC list as CSV. The header identifies the list. ' +
    'The checklist replaces the previous one of the same publisher and creates no species; unknown labels ' +
    'are looked up in it. When a line is invalid, the error names it and nothing is changed.',
  body: {
    content: {
      'application/octet-stream': {
        schema: { type: 'string', format: 'binary', description: 'The file, with any content type' },
      },
    },
  },
  response: { 200: LoadedChecklistSchema },
};

const removeRoute = {
  ...admin,
  operationId: 'removeChecklist',
  summary: 'Delete a checklist',
  description:
    'Species that were found with the checklist are kept. With an eBird key, the hub fetches ' +
    'the eBird checklist again.',
  params: Type.Object({
    publisher: literals(checklistSources, { description: 'Publisher of the checklist' }),
  }),
  response: { 200: Type.Object({ message: Type.String({ description: 'Human-readable result' }) }) },
};

const maxUploadBytes = 16 * 1024 * 1024;
const uploadTimeoutMs = 120_000;

/** `GET`, `POST /checklists`, `DELETE /checklists/:publisher` */
function checklistRoutes(app: HubApp, deps: SpeciesNamesDeps): void {
  const { pool, notifier } = deps;
  app.get('/api/ui/checklists', { schema: listRoute }, async () => {
    const checklists = await listChecklists(pool);
    return checklists.map(({ speciesCount, loadedAt, ...rest }) => ({
      ...rest,
      languages: [...rest.languages],
      species: speciesCount,
      loaded_at: loadedAt.toISOString(),
    }));
  });
  app.register(async (scope: HubApp) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const validatorCompiler = () => () => true;
    scope.post('/api/ui/checklists', { schema: loadRoute, validatorCompiler }, async ({ raw }) => {
      const checklist = await readChecklist(readUpload(raw));
      const changed = await loadChecklist(pool, checklist);
      if (changed) notifier.notify({ kind: 'species' });
      const { length } = await planTidy(deps);
      const { source, rows } = checklist;
      return { message: 'success', source, species: rows.length, changed, tidy_steps: length };
    });
  });
  app.delete('/api/ui/checklists/:publisher', { schema: removeRoute }, async ({ params }) => {
    if (!(await removeChecklist(pool, params.publisher))) throw new HubError('checklist_not_found');
    notifier.notify({ kind: 'species' });
    return { message: 'success' };
  });
}

/** Yields the body; after a failure the remainder is read and discarded, so that the client receives its response. */
async function* readUpload(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HubError('request_timeout')), uploadTimeoutMs);
  });
  timeout.catch(() => undefined);
  const chunks: AsyncIterator<Buffer> = body.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done, value } = await Promise.race([chunks.next(), timeout]);
      if (done) return;
      bytes += value.length;
      if (bytes > maxUploadBytes) throw new HubError('payload_too_large');
      yield value;
    }
  } finally {
    clearTimeout(timer);
    void chunks.return?.().catch(() => undefined);
    if (!body.destroyed) body.resume();
  }
}

const planRoute = {
  ...admin,
  operationId: 'planSpeciesTidy',
  summary: 'List species that exist under several labels',
  description:
    'Returns the steps that `POST` would perform. These also include species that a checklist contains and ' +
    'whose code and family are missing in the hub.',
  response: { 200: TidyPlanSchema },
};

const applyRoute = {
  ...admin,
  operationId: 'tidySpecies',
  summary: 'Merge species that exist under several labels',
  description:
    'Processes each species in a separate transaction; visits and statistics are updated. A request works ' +
    'for at most 20 seconds: send it again while `remaining` is not 0.',
  response: { 200: TidiedSchema },
};

const undoRoute = {
  ...admin,
  operationId: 'undoSpeciesTidy',
  summary: 'Revert a run of merges',
  description: 'Detections that users have reviewed since then keep their species.',
  params: idInPath('Id of the run'),
  response: { 200: UndoneTidySchema },
};

/** `GET`, `POST /species/tidy`, `POST /species/tidy/:id/undo` */
function tidyRoutes(app: HubApp, { pool, directory, speciesEditor: editor }: SpeciesNamesDeps): void {
  const deps = { pool, directory, editor };
  app.get('/api/ui/species/tidy', { schema: planRoute }, async () => {
    const [steps, last] = [await planTidy(deps), await findLastTidy(pool)];
    return {
      steps: steps.map(toStep),
      last: last ? { tidy_id: last.id, applied_at: last.appliedAt.toISOString(), steps: last.steps } : null,
    };
  });
  app.post('/api/ui/species/tidy', { schema: applyRoute }, async (request) => {
    const done = await applyTidy(deps, callerTokenOf(request)?.name);
    const { tidyId, merged, completed, movedDetections, skipped, remaining } = done;
    const counts = { merged, completed, moved_detections: movedDetections, skipped, remaining };
    return { message: 'success', tidy_id: tidyId, ...counts };
  });
  app.post('/api/ui/species/tidy/:id/undo', { schema: undoRoute }, async (request) => {
    const { undone, kept } = await undoTidy(deps, request.params.id, callerTokenOf(request)?.name);
    return { message: 'success', undone, kept };
  });
}

function toStep(step: TidyStep) {
  const isMerge = step.kind === 'merge';
  return {
    kind: step.kind,
    species_id: step.speciesId,
    name: step.name,
    into_species_id: isMerge ? step.intoId : null,
    into_name: isMerge ? step.intoName : null,
    scientific_name: isMerge ? null : step.scientificName,
    ebird_code: isMerge ? null : step.ebirdCode,
    family: isMerge ? null : (step.familyName ?? step.family),
  };
}
