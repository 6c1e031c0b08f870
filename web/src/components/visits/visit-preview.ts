import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';

/** How long the pointer rests, or a finger presses, before a preview starts. */
const restMs = 350;
const pressMs = 450;
/** A finger that moves further, in px, is scrolling. */
const maxPressMove = 10;

/** Ends the preview that is playing; only one plays at a time. */
let endCurrent: (() => void) | undefined;

/** Whether the device asks for less data. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

/** Whether previews may play here: not with reduced motion or reduced data usage. */
function arePreviewsWanted(): boolean {
  return !window.matchMedia('(prefers-reduced-motion: reduce)').matches && !savesData();
}

interface PreviewTrigger {
  readonly isPlaying: boolean;
  readonly end: () => void;
  /** Handlers for the element that starts the preview. */
  readonly handlers: {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: (event: PointerEvent) => void;
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
    readonly onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => void;
    readonly onContextMenu: (event: { preventDefault(): void }) => void;
  };
}

/** Starts a preview when a mouse rests on an element or a finger presses it for long; only one plays at a time. */
export function usePreviewTrigger(isPossible: boolean): PreviewTrigger {
  const [isPlaying, setIsPlaying] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pressed = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const wasPressed = useRef(false);

  const stop = useEffectEvent(() => {
    clearTimeout(timer.current);
    setIsPlaying(false);
  });
  // Stable while the component is mounted, so that another preview can end this one.
  const [end] = useState(() => () => stop());
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      if (endCurrent === end) endCurrent = undefined;
    },
    [end],
  );

  const startIn = (delayMs: number, onStart?: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (endCurrent !== end) endCurrent?.();
      endCurrent = end;
      onStart?.();
      setIsPlaying(true);
    }, delayMs);
  };

  const canPlay = () => isPossible && arePreviewsWanted();
  const endPress = () => {
    pressed.current = undefined;
    end();
  };

  return {
    isPlaying,
    end,
    handlers: {
      onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && canPlay() && startIn(restMs),
      // A finger leaves when it is lifted; its preview plays on.
      onPointerLeave: ({ pointerType }) => pointerType === 'mouse' && end(),
      onPointerDown({ pointerType, clientX: x, clientY: y }) {
        wasPressed.current = false;
        if (pointerType === 'mouse' || !canPlay()) return;
        pressed.current = { x, y };
        startIn(pressMs, () => {
          wasPressed.current = true;
        });
      },
      onPointerMove({ clientX, clientY }) {
        if (pressed.current === undefined) return;
        const { x, y } = pressed.current;
        if (Math.hypot(clientX - x, clientY - y) > maxPressMove) endPress();
      },
      onPointerUp() {
        pressed.current = undefined;
        if (!wasPressed.current) clearTimeout(timer.current);
      },
      onPointerCancel: endPress,
      // A press that played a preview does not follow the link.
      onClickCapture(event) {
        if (!wasPressed.current) return;
        wasPressed.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
      // The context menu of a long press may open before or after the preview starts.
      onContextMenu: (event) => (pressed.current || wasPressed.current) && event.preventDefault(),
    },
  };
}
