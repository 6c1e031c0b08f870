import type { SpeciesEditor, SpeciesPatch } from '@birdhub/domain/species';
import { access, type HubApp } from '@birdhub/shared/app';
import { callerTokenOf } from '@birdhub/shared/tokens';
import type pg from 'pg';
import { idInPath, toStoredImageUrl } from '../wire.schema.js';
import { SpeciesSchema } from './species.schema.js';
import { getSpecies } from './species.store.js';
import {
  MergeAnswerSchema,
  MergeBodySchema,
  type SpeciesPatchBody,
  SpeciesPatchSchema,
} from './species-editing.schema.js';

const shared = { tags: ['species'], security: access.admin };
const speciesInPath = idInPath('Id of the species');

const editRoute = {
  ...shared,
  operationId: 'editSpecies',
  summary: 'Edit a species',
  description: 'Omitted fields stay. A new parent recomputes the visits concerned.',
  params: speciesInPath,
  body: SpeciesPatchSchema,
  response: { 200: SpeciesSchema },
};

const mergeRoute = {
  ...shared,
  operationId: 'mergeSpecies',
  summary: 'Merge a species into another',
  params: speciesInPath,
  body: MergeBodySchema,
  response: { 200: MergeAnswerSchema },
};

const revertRoute = {
  ...shared,
  operationId: 'revertSpeciesMerge',
  summary: 'Revert a merge of species',
  description: 'Detections that people have reviewed since stay where they are.',
  params: idInPath('Id of the merge, as `merge_id` of its response'),
  response: { 200: MergeAnswerSchema },
};

const fieldNames: Record<keyof SpeciesPatchBody, keyof SpeciesPatch> = {
  name: 'name',
  scientific_name: 'scientificName',
  ebird_code: 'ebirdCode',
  parent_id: 'parentId',
  active: 'active',
  image_url: 'imageUrl',
  description: 'description',
};

function toPatch(body: SpeciesPatchBody): SpeciesPatch {
  const fields = Object.keys(body) as (keyof SpeciesPatchBody)[];
  const { image_url } = body;
  return {
    ...Object.fromEntries(fields.map((field) => [fieldNames[field], body[field]])),
    ...(image_url != null && { imageUrl: toStoredImageUrl(image_url) }),
  };
}

/** `PATCH /species/:id`, `POST /species/:id/merge`, `POST /species/merges/:id/revert` */
export function speciesEditingRoutes(
  app: HubApp,
  { speciesEditor, pool }: { speciesEditor: SpeciesEditor; pool: pg.Pool },
): void {
  app.patch('/api/ui/species/:id', { schema: editRoute }, async (request) => {
    const { speciesId } = await speciesEditor.edit(
      request.params.id,
      toPatch(request.body),
      request.id,
      callerTokenOf(request)?.name,
    );
    return getSpecies(pool, speciesId);
  });
  app.post('/api/ui/species/:id/merge', { schema: mergeRoute }, async (request) => {
    const { id } = request.params;
    const { mergeId, movedDetections } = await speciesEditor.merge(
      id,
      request.body.into_species_id,
      request.id,
      callerTokenOf(request)?.name,
    );
    return { message: 'success', merge_id: mergeId, moved_detections: movedDetections };
  });
  app.post('/api/ui/species/merges/:id/revert', { schema: revertRoute }, async (request) => {
    const { mergeId, movedDetections } = await speciesEditor.separate(
      request.params.id,
      request.id,
      callerTokenOf(request)?.name,
    );
    return { message: 'success', merge_id: mergeId, moved_detections: movedDetections };
  });
}
