/** A map that drops its oldest entries when it is full, so that keys from outside cannot exhaust the memory. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  /** Sets the value of a key; a known key keeps its age. */
  override set(key: K, value: V): this {
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.#maxSize) this.delete(oldest as K);
    return this;
  }

  /** Returns the value of a key, which is made when it is missing. */
  getOrAdd(key: K, make: (key: K) => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    this.set(key, made);
    return made;
  }
}
