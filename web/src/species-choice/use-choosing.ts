import { type KeyboardEvent, useState } from 'react';

interface Choosing<T> {
  /** What is offered for what was typed; undefined typed text means that nothing was typed since the last choice. */
  readonly optionsFor: (typed: string) => readonly T[];
  readonly isOpenAtFirst: boolean;
  readonly onChoose: (option: T) => void;
}

/** The state of a list that is narrowed by typing, by the combobox pattern of WAI-ARIA with automatic selection. */
export function useChoosing<T>({ optionsFor, isOpenAtFirst, onChoose }: Choosing<T>) {
  const [typed, setTyped] = useState<string>();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const [active, setActive] = useState(0);
  const options = optionsFor(typed ?? '');

  const open = () => {
    setIsOpen(true);
    setActive(0);
  };
  const close = () => {
    setIsOpen(false);
    setTyped(undefined);
  };
  const choose = (option: T | undefined) => {
    if (option === undefined) return;
    close();
    onChoose(option);
  };
  const move = (steps: number) => {
    if (!isOpen) return open();
    const count = Math.max(1, options.length);
    setActive((active + steps + count) % count);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(isOpen && { Enter: () => choose(options[active]), Escape: close }),
  };
  return {
    typed,
    isOpen,
    active,
    options,
    open,
    close,
    choose,
    type: (text: string) => {
      setTyped(text);
      open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (act === undefined || event.nativeEvent.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
  };
}
