/** What reading an answer to its end took. */
export interface ReadAnswer {
  readonly seconds: number;
  readonly firstByteMs: number;
  readonly bytes: number;
}

/** Reads an answer to its end and forgets it. @throws when it is not 200 */
export async function readAnswer(url: string, headers: Record<string, string> = {}): Promise<ReadAnswer> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers });
  if (!answer.ok || !answer.body) throw new Error(`${url} was answered with ${answer.status}`);
  let firstByteMs: number | undefined;
  let bytes = 0;
  for await (const chunk of answer.body) {
    firstByteMs ??= performance.now() - startedAt;
    bytes += chunk.length;
  }
  const milliseconds = performance.now() - startedAt;
  return { seconds: milliseconds / 1000, firstByteMs: firstByteMs ?? milliseconds, bytes };
}
