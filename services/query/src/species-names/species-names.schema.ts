import { checklistSources, labelMatches, speciesGroups } from '@birdhub/domain/species';
import { detectionSources } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import { instant, orNull, textOrNull } from '../wire.schema.js';

const source = () => literals(checklistSources, { description: 'Publisher of the checklist' });

const publisher = {
  source: source(),
  title: Type.String({ description: 'Title of the checklist, to be credited where its names are shown' }),
  licence: Type.String({ description: 'Licence of the checklist' }),
  url: Type.String({ description: 'Page of the publisher' }),
};

/** Query parameters of `GET /species/resolve`. */
export const ResolveQuerySchema = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 200, description: 'Label, as used by a detector' }),
  source: literals(detectionSources, {
    default: 'video',
    description:
      'Whether the animal was seen (`video`) or heard (`audio`); some animals count as ' +
      'noise when they are only heard',
  }),
});

/** The meaning of a label. */
export const ResolvedLabelSchema = Type.Object(
  {
    label: Type.String({ description: 'The requested label' }),
    group: literals(speciesGroups, {
      description: 'Group in the species tree; `unknown` when the label does not identify one',
    }),
    species_id: orNull(
      Type.Integer(),
      'Id of the species; null when the hub would create the species with the first recording',
    ),
    name: textOrNull('Name of the species'),
    scientific_name: textOrNull('Scientific name'),
    ebird_code: textOrNull('Code in the eBird taxonomy'),
    family: textOrNull('Name of the family'),
    plumage: textOrNull('Sex, age or season according to the label'),
    matched_by: orNull(literals(labelMatches), 'How the species was found; null when it was not found'),
    checklist: orNull(
      Type.Object(publisher),
      'Checklist that contains the species, when the hub does not have the species yet',
    ),
  },
  { $id: 'ResolvedLabel' },
);

/** A loaded checklist. */
export const ChecklistSchema = Type.Object(
  {
    ...publisher,
    species: Type.Integer({ description: 'Number of species in the checklist' }),
    languages: Type.Array(Type.String(), { description: 'Languages of its names (ISO 639-1)' }),
    loaded_at: instant('When the checklist was loaded'),
  },
  { $id: 'Checklist' },
);

/** The response to an uploaded checklist. */
export const LoadedChecklistSchema = Type.Object({
  message: Type.String({ description: 'Human-readable result' }),
  source: source(),
  species: Type.Integer({ description: 'Number of species in the checklist' }),
  changed: Type.Boolean({
    description: 'Whether the checklist changed; false when the same checklist was already loaded',
  }),
  tidy_steps: Type.Integer({
    description: 'Number of species of the hub that are the same as others, or that the checklist completes',
  }),
});

const TidyStepSchema = Type.Object({
  kind: literals(['merge', 'complete'], {
    description:
      '`merge`: the species is the same as another one; `complete`: the species receives a ' +
      'scientific name, code and family',
  }),
  species_id: Type.Integer({ description: 'Id of the species that a label created' }),
  name: Type.String({ description: 'Name of the species' }),
  into_species_id: orNull(Type.Integer(), 'Id of the species to merge into, for `merge`'),
  into_name: textOrNull('Name of the species to merge into, for `merge`'),
  scientific_name: textOrNull('New scientific name, for `complete`'),
  ebird_code: textOrNull('New eBird code, for `complete`'),
  family: textOrNull('New family, for `complete`'),
});

/** The response of `GET /species/tidy`. */
export const TidyPlanSchema = Type.Object({
  steps: Type.Array(TidyStepSchema, { description: 'Steps that would be performed' }),
  last: orNull(
    Type.Object({
      tidy_id: Type.Integer({ description: 'Id of the run' }),
      applied_at: instant('When the run was performed'),
      steps: Type.Integer({ description: 'Number of steps of the run' }),
    }),
    'The last run that was not reverted; null when there is none',
  ),
});

/** The response of `POST /species/tidy`. */
export const TidiedSchema = Type.Object({
  message: Type.String({ description: 'Human-readable result' }),
  tidy_id: orNull(Type.Integer(), 'Id of the run; null when there was nothing to do'),
  merged: Type.Integer({ description: 'Number of species merged into another one' }),
  completed: Type.Integer({
    description: 'Number of species that received a scientific name, code or family',
  }),
  moved_detections: Type.Integer({ description: 'Number of detections of the merged species' }),
  skipped: Type.Integer({ description: 'Number of steps that could not be performed' }),
  remaining: Type.Integer({
    description: 'Number of remaining steps; when it is not 0, send the request again',
  }),
});

/** The response of `POST /species/tidy/:id/undo`. */
export const UndoneTidySchema = Type.Object({
  message: Type.String({ description: 'Human-readable result' }),
  undone: Type.Integer({ description: 'Number of reverted steps' }),
  kept: Type.Integer({ description: 'Number of steps that were kept because later changes depend on them' }),
});
