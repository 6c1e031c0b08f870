import { useEffect, useEffectEvent } from 'react';
import { useSingleKeys } from '../../components/shortcuts';

/** Binds keys of the page to actions, unless single-key shortcuts are off. */
export function usePlayerKeys(actions: Readonly<Record<PlayerAction, () => void>>): void {
  const [areOn] = useSingleKeys();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = playerAction(event);
    if (action === undefined || event.defaultPrevented) return;
    event.preventDefault();
    actions[action]();
  });
  useEffect(() => {
    if (!areOn) return undefined;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [areOn]);
}

/** Actions that keys trigger. */
type PlayerAction =
  | 'toggle'
  | 'frame_back'
  | 'frame_forward'
  | 'back'
  | 'forward'
  | 'previous'
  | 'next'
  | 'mute'
  | 'boxes'
  | 'zoom'
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
  z: 'zoom',
  f: 'favorite',
};

/** The part of a keyboard event that is used. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'target'>;

/** Elements that handle all keys themselves. */
const writing = 'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="combobox"]';
/** Overlays that handle keys themselves. */
const open = '[role="dialog"], [role="menu"], [role="listbox"], [role="radiogroup"]';
/** Elements that arrow keys scroll. */
const scrolled = '[data-scrolls]';
/** Elements that the space bar activates. */
const pressed = 'button, a, summary, [role="button"], [role="switch"], input[type="checkbox"]';

/** Returns the action of a key; undefined when the focused element handles it. */
export function playerAction(press: KeyPress): PlayerAction | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return undefined;
  const within = (selector: string) =>
    press.target instanceof Element && press.target.closest(selector) !== null;
  if (within(writing) || within(open) || (press.key === ' ' && within(pressed))) return undefined;
  if (press.key.startsWith('Arrow') && within(scrolled)) return undefined;
  return actions[press.key.length === 1 ? press.key.toLowerCase() : press.key];
}
