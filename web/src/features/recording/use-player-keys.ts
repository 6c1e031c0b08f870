import { useEffect, useEffectEvent } from 'react';
import { type PlayerAction, playerAction } from './player-keys';

/** Does what keys ask for, wherever on the page they are pressed. */
export function usePlayerKeys(actions: Readonly<Record<PlayerAction, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = playerAction(event);
    if (action === undefined || event.defaultPrevented) return;
    event.preventDefault();
    actions[action]();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
