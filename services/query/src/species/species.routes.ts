import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { BirdFamilySchema, SpeciesQuerySchema, SpeciesSchema } from './species.schema.js';
import { listFamilies, listObservedSpecies, listSpecies } from './species.store.js';

const speciesRoute = {
  operationId: 'listSpecies',
  summary: 'List species',
  description: 'By name, with how often each was here.',
  tags: ['species'],
  security: access.open,
  querystring: SpeciesQuerySchema,
  response: { 200: Type.Array(SpeciesSchema) },
};

const observedRoute = {
  ...speciesRoute,
  querystring: Type.Object({}),
  operationId: 'listObservedSpecies',
  summary: 'List observed species',
  description: 'Those that had visits, by name, with how often each was here.',
};

const familiesRoute = {
  operationId: 'listBirdFamilies',
  summary: 'List bird families',
  description: 'By name.',
  tags: ['species'],
  security: access.open,
  response: { 200: Type.Array(BirdFamilySchema) },
};

const allSpecies: Question = {
  key: 'species',
  answer: async (pool) => ({
    answer: makeAnswer(await listSpecies(pool)),
    scope: { recordings: 'all', species: true },
  }),
};

const allObserved: Question = {
  key: 'species-observed',
  answer: async (pool) => ({
    answer: makeAnswer(await listObservedSpecies(pool)),
    scope: { recordings: 'all', species: true },
  }),
};

const allFamilies: Question = {
  key: 'families',
  answer: async (pool) => ({ answer: makeAnswer(await listFamilies(pool)), scope: { species: true } }),
};

/** `GET /species`, `GET /species/observed`, `GET /bird_families` */
export function speciesRoutes(app: HubApp, { answers }: { answers: Answers }): void {
  app.get('/api/ui/species', { schema: speciesRoute }, async (request, reply) =>
    sendAnswer(answers, request, reply, request.query.scope === 'observed' ? allObserved : allSpecies),
  );
  app.get('/api/ui/species/observed', { schema: observedRoute }, async (request, reply) =>
    sendAnswer(answers, request, reply, allObserved),
  );
  app.get('/api/ui/bird_families', { schema: familiesRoute }, async (request, reply) =>
    sendAnswer(answers, request, reply, allFamilies),
  );
}
