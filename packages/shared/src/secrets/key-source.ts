/** Where the keys of the secrets come from: texts, of which the first seals and all open. */
export interface KeySource {
  /** The keys as they are now; none when none were made yet. */
  read(): readonly string[];
  /** The same; makes a first key when there is none. */
  readOrMake(): readonly string[];
}

/** Keys that the environment names, separated by commas. */
export function givenKeys(list: string): KeySource {
  const keys = list
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  return { read: () => keys, readOrMake: () => keys };
}
