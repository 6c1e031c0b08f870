import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useIsPhone } from '../../lib/use-media';
import type { Chunk } from './chunks';
import { dayIndexAt, type ListMetrics, type TimelineLayout, topOfDay } from './timeline-layout';

/** Heights of what covers the top of the list: the header of the page and, for a single day, the strip of its hours. */
export const headerPixels = 52;
export const stripPixels = 84;

/** Minimum width of a card and the gap between cards, in px. */
const minCardWidth = 216;
const gap = 16;
const phoneGap = 8;
const maxColumns = 8;

/** Measures the sizes of the rows of the list and its distance from the top of the page. */
export function useListMetrics(list: RefObject<HTMLElement | null>) {
  const isNarrow = useIsPhone();
  const [{ width, top, rem }, setMeasured] = useState({ width: 0, top: 0, rem: 16 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const inner = box.width - Number.parseFloat(style.paddingRight || '0');
      const measured = {
        width: Math.round(inner),
        top: Math.round(box.top + window.scrollY),
        rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16,
      };
      setMeasured((old) =>
        old.width === measured.width && old.top === measured.top && old.rem === measured.rem ? old : measured,
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  const metrics = useMemo((): ListMetrics => {
    const fit = Math.floor((width + gap) / (minCardWidth + gap));
    const columns = isNarrow ? 1 : Math.min(maxColumns, Math.max(1, fit));
    const cardWidth = (width - gap * (columns - 1)) / columns;
    const cardHeight = isNarrow ? 5.75 * rem : (cardWidth * 3) / 4 + 5 * rem;
    return {
      columns,
      headingHeight: Math.round((isNarrow ? 2.5 : 3.25) * rem),
      cardRowHeight: Math.round(cardHeight + (isNarrow ? phoneGap : gap)),
      foldHeight: Math.round(2.75 * rem),
    };
  }, [isNarrow, width, rem]);
  return { metrics, top, isNarrow, rowGap: isNarrow ? phoneGap : gap };
}

/** The position in the list is rounded to this step. */
const stepPixels = 120;

/** Returns the position of the window in the list, in steps, and whether it moves too fast to load what it passes. */
export function useListPosition(top: number) {
  const [y, setY] = useState(() => quantize(window.scrollY - top));
  const [isFast, setIsFast] = useState(false);
  useEffect(() => {
    let frame = 0;
    let last = { y: window.scrollY, at: performance.now() };
    let settleTimer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      frame = 0;
      const now = { y: window.scrollY, at: performance.now() };
      const speed = Math.abs(now.y - last.y) / Math.max(8, now.at - last.at);
      last = now;
      setY(quantize(now.y - top));
      if (speed <= fastPixelsPerMs && settleTimer === undefined) return;
      setIsFast(true);
      clearTimeout(settleTimer);
      settleTimer = setTimeout(() => {
        settleTimer = undefined;
        setIsFast(false);
      }, settleMs);
    };
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(read);
    };
    read();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
      clearTimeout(settleTimer);
    };
  }, [top]);
  return { y, isFast };
}

const fastPixelsPerMs = 5;
const settleMs = 120;
const quantize = (y: number) => Math.floor(y / stepPixels) * stepPixels;

/** Returns the chunks that overlap a section of the list; while it moves fast, the previous ones. */
export function useWantedChunks(
  chunks: readonly Chunk[],
  layout: TimelineLayout,
  section: { readonly from: number; readonly to: number },
  isFast: boolean,
): readonly Chunk[] {
  const { days, height } = layout;
  const first = dayIndexAt(layout, section.from);
  const last = dayIndexAt(layout, section.to);
  // Beyond the ends of the list there may be recordings without a bird, which the counts do not include.
  const newest = first <= 0 ? undefined : days[first]?.day;
  const oldest = section.to >= height ? undefined : days[last]?.day;
  const wanted = useMemo(
    () =>
      chunks
        .filter(
          ({ from, to }) =>
            (newest === undefined || from <= newest) && (oldest === undefined || to >= oldest),
        )
        .slice(-maxWantedChunks),
    [chunks, newest, oldest],
  );
  const [kept, setKept] = useState(wanted);
  if (!isFast && kept !== wanted) setKept(wanted);
  return isFast ? kept : wanted;
}

const maxWantedChunks = 12;

/** Keeps the top visible day in place when the list above it changes, except at the start of the list. */
export function useDayAnchor(layout: TimelineLayout, top: number): void {
  const anchor = useRef<{ readonly day: string; readonly delta: number }>(undefined);
  const current = useRef(layout);
  useLayoutEffect(() => {
    const { day, delta } = anchor.current ?? {};
    const before = current.current;
    current.current = layout;
    if (day === undefined || delta === undefined || before === layout) return;
    const moved = topOfDay(layout, day) - topOfDay(before, day);
    if (moved !== 0 && before.metrics === layout.metrics)
      window.scrollBy({ top: moved, behavior: 'instant' });
    if (before.metrics !== layout.metrics)
      window.scrollTo({ top: top + topOfDay(layout, day) + Math.min(delta, 0), behavior: 'instant' });
  }, [layout, top]);
  useEffect(() => {
    const read = () => {
      const { days } = current.current;
      const y = window.scrollY - top;
      const placed = days[dayIndexAt(current.current, y)];
      anchor.current =
        y <= 0 || placed === undefined ? undefined : { day: placed.day, delta: y - placed.top };
    };
    read();
    window.addEventListener('scroll', read, { passive: true });
    return () => window.removeEventListener('scroll', read);
  }, [top]);
}

/** Events with which people move the list themselves. */
const userEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Calls `onMove` when people may move the list themselves. */
export function useOnUserMove(onMove: () => void): void {
  const move = useEffectEvent(onMove);
  useEffect(() => {
    const listen = () => move();
    for (const event of userEvents) window.addEventListener(event, listen, { passive: true });
    return () => {
      for (const event of userEvents) window.removeEventListener(event, listen);
    };
  }, []);
}

/** Restores a scroll position once the page is high enough (both in px), unless the user scrolls first. */
export function useScrollRestoration(offset: number, reach: number): void {
  const wanted = useRef(offset);
  useOnUserMove(() => {
    wanted.current = 0;
  });
  useEffect(() => {
    if (wanted.current === 0 || reach < wanted.current) return;
    window.scrollTo({ top: wanted.current });
    wanted.current = 0;
  }, [reach]);
}
