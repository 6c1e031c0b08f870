import { maxLikely } from './likely-species';

/** Actions of the review's keys. */
export interface ReviewActions {
  readonly accept: () => void;
  readonly choose: (index: number) => void;
  readonly change: () => void;
  readonly noBird: () => void;
  readonly skip: () => void;
  readonly undo: () => void;
  readonly toggleScope: () => void;
}

type KeyHandler = (event: KeyboardEvent) => unknown;

const isOnButton = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('button, a, [role="button"], video') !== null;

/** Returns handlers by key. Key repeat is ignored, so that no detection is answered unseen. */
export function reviewKeys(actions: ReviewActions): Readonly<Record<string, KeyHandler>> {
  const once = (act: () => void) => (event: KeyboardEvent) => !event.repeat && act();
  const numbers = Array.from({ length: maxLikely }, (_, index) => [
    String(index + 1),
    once(() => actions.choose(index)),
  ]);
  return {
    // On a button, Enter activates the button.
    Enter: (event) => (isOnButton(event) ? false : once(actions.accept)(event)),
    a: once(actions.accept),
    c: once(actions.change),
    '/': once(actions.change),
    n: once(actions.noBird),
    s: once(actions.skip),
    u: once(actions.undo),
    v: once(actions.toggleScope),
    ...Object.fromEntries(numbers),
  };
}
