import { resealIn } from '@birdhub/domain/settings';
import type { Connection } from '@birdhub/shared/db';
import { createSecretBox, type KeySource } from '@birdhub/shared/secrets';

/**
 * Seals secrets that came with keys of their own with the key of this hub, which stays as it is, whether a file or
 * the environment holds it. Answers the dotted names of those that no key opens.
 */
export async function resealSettings(
  client: Connection,
  theirs: readonly string[],
  ours: KeySource,
): Promise<readonly string[]> {
  const known = ours.read();
  if (theirs.every((key) => known.includes(key))) return [];
  const both: KeySource = {
    read: () => [...ours.read(), ...theirs],
    readOrMake: () => [...ours.readOrMake(), ...theirs],
  };
  // The first key is ours, and must be there before the box looks for it.
  both.readOrMake();
  const { lost } = await resealIn(client, createSecretBox(both));
  return lost;
}
