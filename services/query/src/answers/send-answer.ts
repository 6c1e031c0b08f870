import { isNamedBy } from '@birdhub/shared/app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers, Question } from './answers.js';

/** Answers a question as bytes with its entity tag, or 304 to a caller that has them. */
export async function sendAnswer(
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  question: Question,
): Promise<FastifyReply> {
  const rings = request.headers['x-hub-bell'];
  const { body, etag, link } = await answers.ask(question, rings?.toString());
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (link !== undefined) reply.header('link', link);
  if (isNamedBy(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}
