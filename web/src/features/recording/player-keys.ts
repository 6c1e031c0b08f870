/** What the keyboard does with a recording. */
export type PlayerAction =
  | 'toggle'
  | 'frame_back'
  | 'frame_forward'
  | 'back'
  | 'forward'
  | 'previous'
  | 'next'
  | 'mute'
  | 'boxes'
  | 'favorite';

const actions: Readonly<Record<string, PlayerAction>> = {
  ' ': 'toggle',
  k: 'toggle',
  ',': 'frame_back',
  '.': 'frame_forward',
  j: 'back',
  l: 'forward',
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  m: 'mute',
  b: 'boxes',
  f: 'favorite',
};

/** What a key was pressed on, and with what. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'target'>;

/** Elements that have a use of their own for any key. */
const writing = 'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="combobox"]';
/** Places where keys belong to what is open there. */
const open = '[role="dialog"], [role="menu"], [role="listbox"], [role="radiogroup"]';
/** Elements that are pressed by the space bar. */
const pressed = 'button, a, summary, [role="button"], [role="switch"], input[type="checkbox"]';

/** What a key does here; nothing when it is meant for what has the focus. */
export function playerAction(press: KeyPress): PlayerAction | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return undefined;
  const within = (selector: string) =>
    press.target instanceof Element && press.target.closest(selector) !== null;
  if (within(writing) || within(open) || (press.key === ' ' && within(pressed))) return undefined;
  return actions[press.key.length === 1 ? press.key.toLowerCase() : press.key];
}
