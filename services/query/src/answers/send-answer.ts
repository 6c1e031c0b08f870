import { isUnmodified, pacedStream } from '@birdhub/shared/app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerBudget } from './answer-budget.js';
import type { Answer } from './answer-store.js';
import type { Answers, Question } from './answers.js';

/** Longest time in which the reader of a large answer takes nothing. */
const stallTimeoutMs = 30_000;

async function* inOnePiece(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

/** A large answer is counted, and its reader held to a pace, for as long as it is sent. */
function sendBody(reply: FastifyReply, answer: Answer, budget: AnswerBudget): FastifyReply {
  const { body } = answer;
  const release = budget.hold(answer);
  reply.type('application/json; charset=utf-8');
  if (!release) return reply.send(body);
  const pace = { stallTimeoutMs, isWanted: () => budget.isWanted };
  return reply.header('content-length', body.length).send(pacedStream(inOnePiece(body), pace, release));
}

/** Answers a question as bytes with its entity tag, or 304 to a caller that has them. */
export async function sendAnswer(
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  question: Question,
): Promise<FastifyReply> {
  const rings = request.headers['x-hub-bell'];
  const answer = await answers.ask(question, rings?.toString());
  const { etag, link } = answer;
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (link !== undefined) reply.header('link', link);
  if (isUnmodified(request, reply)) return reply.code(304).send();
  return sendBody(reply, answer, answers.budget);
}
