/** A cache that drops its oldest entries beyond its size, so that keys from requests cannot fill the memory. */
export class BoundedMap<K, V extends object> {
  readonly #entries = new Map<K, V>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  getOrAdd(key: K, make: (key: K) => V): V {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#size) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, made);
    return made;
  }
}
