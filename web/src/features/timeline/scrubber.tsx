import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';
import classes from './scrubber.module.css';
import { marksOf, shareOfIndex } from './scrubber-scale';
import { dayIndexAt, type TimelineLayout } from './timeline-layout';
import { headerPixels } from './use-list-view';

interface ScrubberProps {
  readonly layout: TimelineLayout;
  /** Distance of the list from the top of the page, in px. */
  readonly listTop: number;
  readonly isNarrow: boolean;
}

/** How long the handle stays visible after scrolling on a phone. */
const lingerMs = 1_500;

const clamp = (share: number) => Math.min(1, Math.max(0, share));

/** Scrubber with the years of the list at the edge of the window; keys move by day, by month and to the ends. */
export function Scrubber({ layout, listTop, isNarrow }: ScrubberProps) {
  const { t } = useTranslation('timeline');
  const { month: monthName, dayTitle } = useTimeFormat();
  const track = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const [isDragged, setIsDragged] = useState(false);
  const { index, isMoving } = useScrollPosition(layout, listTop, track, slider);
  const trackHeight = useHeight(track);
  const marks = useMemo(() => marksOf(layout, trackHeight), [layout, trackHeight]);
  const day = layout.days[index]?.day;

  const goTo = (share: number) =>
    window.scrollTo({ top: listTop - headerPixels + clamp(share) * layout.height, behavior: 'instant' });
  const shareAt = (clientY: number) => {
    const box = track.current?.getBoundingClientRect();
    return box === undefined || box.height === 0 ? 0 : (clientY - box.top) / box.height;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIndex(layout, index, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(shareOfIndex(layout, Math.min(layout.days.length - 1, Math.max(0, next))));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setIsDragged(true);
    if (!isNarrow) goTo(shareAt(event.clientY));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (isDragged) goTo(shareAt(event.clientY));
  };
  const release = () => setIsDragged(false);

  return (
    <div
      ref={track}
      className={classes['track']}
      data-narrow={isNarrow || undefined}
      data-shown={isMoving || isDragged || undefined}
      data-dragged={isDragged || undefined}
    >
      <Marks marks={marks} />
      <div
        ref={slider}
        className={classes['slider']}
        role="slider"
        tabIndex={0}
        aria-label={t('scrubber')}
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, layout.days.length - 1)}
        aria-valuenow={index}
        aria-valuetext={day === undefined ? undefined : dayTitle(day)}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={release}
        onPointerCancel={release}
      >
        <span className={classes['thumb']}>
          {day !== undefined && <span className={classes['label']}>{monthName(day.slice(0, 7))}</span>}
        </span>
      </div>
    </div>
  );
}

/** Returns the height of an element in px. */
function useHeight(ref: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return height;
}

/**
 * Returns the index of the day at the top of the window, and whether the page has just been scrolled. Keeps the position
 * in CSS properties of the track and the slider.
 */
function useScrollPosition(
  layout: TimelineLayout,
  listTop: number,
  track: RefObject<HTMLElement | null>,
  slider: RefObject<HTMLElement | null>,
): { readonly index: number; readonly isMoving: boolean } {
  const [index, setIndex] = useState(0);
  const [isMoving, setIsMoving] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      // Read once and before any style is set: reading after that computes styles again.
      const fromList = window.scrollY - listTop;
      const y = fromList + headerPixels;
      const share = layout.height === 0 ? 0 : clamp(y / layout.height);
      // Set on the slider only: on the track, it would restyle every mark in each frame.
      slider.current?.style.setProperty('--share', String(share));
      // Does not cover what is above the list.
      const above = `${Math.max(0, -fromList)}px`;
      if (track.current?.style.getPropertyValue('--above') !== above)
        track.current?.style.setProperty('--above', above);
      setIndex(Math.max(0, dayIndexAt(layout, Math.max(0, y))));
    };
    const onScroll = () => {
      follow();
      setIsMoving(true);
      clearTimeout(timer);
      timer = setTimeout(() => setIsMoving(false), lingerMs);
    };
    follow();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      clearTimeout(timer);
    };
  }, [layout, listTop, track, slider]);
  return { index, isMoving };
}

/** Years and months next to the slider; memoized, as they do not change while the page is scrolling. */
const Marks = memo(function Marks({ marks }: { readonly marks: ReturnType<typeof marksOf> }) {
  return marks.map(({ month, at, year }) => (
    <span
      key={month}
      className={year === undefined ? classes['dot'] : classes['year']}
      style={{ top: `${at * 100}%` }}
      aria-hidden="true"
    >
      {year}
    </span>
  ));
});

/** Returns the index of the day to which a key moves; up is newer. */
function nextIndex({ days }: TimelineLayout, index: number, key: string): number | undefined {
  const month = days[index]?.day.slice(0, 7) ?? '';
  switch (key) {
    case 'ArrowDown':
    case 'ArrowLeft':
      return index + 1;
    case 'ArrowUp':
    case 'ArrowRight':
      return index - 1;
    case 'PageDown': {
      const older = days.findIndex(({ day }) => day.slice(0, 7) < month);
      return older === -1 ? days.length - 1 : older;
    }
    case 'PageUp': {
      const newer = days.findLast(({ day }) => day.slice(0, 7) > month)?.day.slice(0, 7);
      return newer === undefined ? 0 : days.findIndex(({ day }) => day.startsWith(newer));
    }
    case 'Home':
      return 0;
    case 'End':
      return days.length - 1;
    default:
      return undefined;
  }
}
