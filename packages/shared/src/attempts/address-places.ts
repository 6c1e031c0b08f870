import type { ServerResponse } from 'node:http';
import { HubError } from '../errors/index.js';

const retryAfterSeconds = 10;

/**
 * Limits what one client may hold at the same time, such as open streams, so that others get their share. Clients are
 * counted by address, and by each process separately.
 */
export class AddressPlaces {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a place, and returns a function that gives it back. @throws HubError busy when the client has all of its */
  take(key: string): () => void {
    const count = this.#taken.get(key) ?? 0;
    if (count >= this.#max) throw new HubError('busy', { retryAfterSeconds });
    this.#taken.set(key, count + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(key);
      isHeld = false;
    };
  }

  /** Takes a place until a response is closed. @throws HubError busy */
  hold(key: string, response: ServerResponse): void {
    const leave = this.take(key);
    response.once('close', leave);
    if (response.closed) leave();
  }

  #giveBack(key: string): void {
    const left = (this.#taken.get(key) ?? 0) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}
