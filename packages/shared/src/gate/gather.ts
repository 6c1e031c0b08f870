/** Asks for many keys at once; a key that nothing is known of is left out of the answer. */
export type AskMany<K, V> = (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;

interface Gathering<K, V> {
  readonly keys: Set<K>;
  readonly answer: Promise<ReadonlyMap<K, V>>;
}

/** A question for one key that is asked together with those that others ask within `waitMs`. */
export function gather<K, V>(ask: AskMany<K, V>, waitMs: number): (key: K) => Promise<V | undefined> {
  let current: Gathering<K, V> | undefined;

  function begin(): Gathering<K, V> {
    const keys = new Set<K>();
    const answer = new Promise<ReadonlyMap<K, V>>((resolve) => {
      setTimeout(() => {
        current = undefined;
        resolve(ask([...keys]));
      }, waitMs);
    });
    return { keys, answer };
  }

  return async (key) => {
    current ??= begin();
    const { keys, answer } = current;
    keys.add(key);
    return (await answer).get(key);
  };
}
