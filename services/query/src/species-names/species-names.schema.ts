import { CHECKLIST_SOURCES, LABEL_MATCHES, SPECIES_GROUPS } from '@birdhub/domain/species';
import { detectionSources } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import { instant, orNull, textOrNull } from '../wire.schema.js';

const source = () => literals(CHECKLIST_SOURCES, { description: 'Publisher of the checklist' });

const publisher = {
  source: source(),
  title: Type.String({ description: 'The checklist, to be named where its names are shown' }),
  licence: Type.String({ description: 'Licence of the checklist' }),
  url: Type.String({ description: 'Page of the publisher' }),
};

/** Query parameters of `GET /species/resolve`. */
export const ResolveQuerySchema = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 200, description: 'A label as a detector has it' }),
  source: literals(detectionSources, {
    default: 'video',
    description: 'Whether it is seen or heard: some animals are noise when they are only heard',
  }),
});

/** The meaning of a label. */
export const ResolvedLabelSchema = Type.Object(
  {
    label: Type.String({ description: 'The label as it was given' }),
    group: literals(SPECIES_GROUPS, {
      description: 'The part of the tree; `unknown` for a label that says nothing more',
    }),
    species_id: orNull(
      Type.Integer(),
      'Id of the species; null when the hub would create it with the first recording',
    ),
    name: textOrNull('Name of the species'),
    scientific_name: textOrNull('Binomial'),
    ebird_code: textOrNull('Code of the eBird taxonomy'),
    family: textOrNull('Name of the family'),
    plumage: textOrNull('Sex, age or season that the label says'),
    matched_by: orNull(literals(LABEL_MATCHES), 'By what it was found; null when it was not'),
    checklist: orNull(
      Type.Object(publisher),
      'The checklist that knows it, when the hub has no such species yet',
    ),
  },
  { $id: 'ResolvedLabel' },
);

/** A loaded checklist. */
export const ChecklistSchema = Type.Object(
  {
    ...publisher,
    species: Type.Integer({ description: 'Number of species in it' }),
    languages: Type.Array(Type.String(), { description: 'Languages of its names (ISO 639-1)' }),
    loaded_at: instant('When it was loaded'),
  },
  { $id: 'Checklist' },
);

/** The response to an uploaded checklist. */
export const LoadedChecklistSchema = Type.Object({
  message: Type.String({ description: 'What was done, for a person' }),
  source: source(),
  species: Type.Integer({ description: 'Number of species in it' }),
  changed: Type.Boolean({ description: 'False when the same was loaded already' }),
  tidy_steps: Type.Integer({
    description: 'Species of the hub that are the same as others, or that it completes',
  }),
});

const TidyStepSchema = Type.Object({
  kind: literals(['merge', 'complete'], {
    description: '`merge`: it is another species; `complete`: it gets scientific name, code and family',
  }),
  species_id: Type.Integer({ description: 'Id of the species that a label created' }),
  name: Type.String({ description: 'Name of it' }),
  into_species_id: orNull(Type.Integer(), 'The species that it is, for `merge`'),
  into_name: textOrNull('Name of that species'),
  scientific_name: textOrNull('What it gets, for `complete`'),
  ebird_code: textOrNull('What it gets, for `complete`'),
  family: textOrNull('What it gets, for `complete`'),
});

/** The response of `GET /species/tidy`. */
export const TidyPlanSchema = Type.Object({
  steps: Type.Array(TidyStepSchema, { description: 'What would be done' }),
  last: orNull(
    Type.Object({
      tidy_id: Type.Integer({ description: 'Id of the run' }),
      applied_at: instant('When it was done'),
      steps: Type.Integer({ description: 'Number of its steps' }),
    }),
    'The last run that was not taken back',
  ),
});

/** The response of `POST /species/tidy`. */
export const TidiedSchema = Type.Object({
  message: Type.String({ description: 'What was done, for a person' }),
  tidy_id: orNull(Type.Integer(), 'Id of the run; null when there was nothing to do'),
  merged: Type.Integer({ description: 'Species that became another one' }),
  completed: Type.Integer({ description: 'Species that got name, code or family' }),
  moved_detections: Type.Integer({ description: 'Detections of the merged species' }),
  skipped: Type.Integer({ description: 'Steps that could not be done' }),
  remaining: Type.Integer({ description: 'Steps that are left: send the request again' }),
});

/** The response of `POST /species/tidy/:id/undo`. */
export const UndoneTidySchema = Type.Object({
  message: Type.String({ description: 'What was done, for a person' }),
  undone: Type.Integer({ description: 'Steps that were taken back' }),
  kept: Type.Integer({ description: 'Steps that people have built upon, which stay' }),
});
