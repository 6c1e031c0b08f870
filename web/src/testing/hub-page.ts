import { vi } from 'vitest';

/** Answers of a hub by method and path; one that is not named is 404. */
export type Answers = Readonly<Record<string, (body: unknown) => { status?: number; body: object }>>;

/** Has the page's calls answered by a hub of the test; gives what was called, with the bodies of writes. */
export function answerCalls(answers: Answers): { readonly calls: [string, unknown][] } {
  const calls: [string, unknown][] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const text = await request.text();
    const sent: unknown = text === '' ? undefined : JSON.parse(text);
    calls.push([call, sent]);
    const { status = 200, body } = answers[call]?.(sent) ?? { status: 404, body: {} };
    return Response.json(body, { status });
  });
  return { calls };
}
