import { maxLikely } from './likely-species';

/** What the keys of a review do. */
export interface ReviewActs {
  readonly accept: () => void;
  readonly choose: (place: number) => void;
  readonly change: () => void;
  readonly skip: () => void;
  readonly undo: () => void;
  readonly toggleScope: () => void;
}

type KeyAct = (event: KeyboardEvent) => unknown;

const isOnButton = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('button, a, [role="button"], video') !== null;

/** Keys by what they do. A key that is held down counts once: nothing is said of what has not been seen. */
export function reviewKeys(acts: ReviewActs): Readonly<Record<string, KeyAct>> {
  const once = (act: () => void) => (event: KeyboardEvent) => !event.repeat && act();
  const numbers = Array.from({ length: maxLikely }, (_, place) => [
    String(place + 1),
    once(() => acts.choose(place)),
  ]);
  return {
    // On a button Enter does what the button does.
    Enter: (event) => (isOnButton(event) ? false : once(acts.accept)(event)),
    a: once(acts.accept),
    c: once(acts.change),
    '/': once(acts.change),
    s: once(acts.skip),
    u: once(acts.undo),
    v: once(acts.toggleScope),
    ...Object.fromEntries(numbers),
  };
}
