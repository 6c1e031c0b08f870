import { useEffect, useEffectEvent } from 'react';
import { useSingleKeys } from './single-keys';

/** What a key does; false when it is not its affair, so that the browser does what it always does. */
type Act = (event: KeyboardEvent) => unknown;

const isTyping = (target: Element) => target.closest('input, textarea, select, [contenteditable]') !== null;
const isElsewhere = (target: Element) => target.closest('[role="dialog"], [role="menu"]') !== null;

/** AltGr, by which some keyboards write brackets, looks like Ctrl and Alt. */
const isCommand = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

/** Single keys (as `KeyboardEvent.key`) that do something on this page, except while one types or a dialog is open. */
export function useShortcuts(acts: Readonly<Record<string, Act>>): void {
  const [areOn] = useSingleKeys();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
    if (act === undefined || event.defaultPrevented || isCommand(event)) return;
    if (target instanceof Element && (isTyping(target) || isElsewhere(target))) return;
    if (act(event) !== false) event.preventDefault();
  });
  useEffect(() => {
    if (!areOn) return undefined;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [areOn]);
}
