import { ActionIcon } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconCurrentLocation, IconMinus, IconPlus } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { boxAt, placeBox, placePicture, trackColor } from './box-overlay';
import classes from './player.module.css';
import type { Detection } from './recording-queries';
import { type Player, usePlayhead } from './use-player';
import {
  clampScale,
  magnify,
  middleZoom,
  moveBy,
  type Point,
  placeView,
  type View,
  zoomOnBird,
} from './zoom-view';

interface PicturePaneProps {
  readonly player: Player;
  readonly detections: readonly Detection[];
  /** The selected detection. */
  readonly chosenId: number | undefined;
  /** Size of the picture in pixels; 0 until known. */
  readonly size: { readonly width: number; readonly height: number };
  /** Time of the poster in seconds; undefined while the video is shown. */
  readonly posterAt: number | undefined;
  readonly hasBoxes: boolean;
  readonly isZoomed: boolean;
  readonly onUnzoom: () => void;
  /** The video. */
  readonly children: ReactNode;
}

/** Picture of the player with boxes in sync with its frames; when zoomed in, it follows the bird or can be dragged. */
export function PicturePane(props: PicturePaneProps) {
  const { player, detections, chosenId, size, posterAt, hasBoxes, isZoomed, onUnzoom, children } = props;
  const { t } = useTranslation('recording');
  const { ref: measured, width, height } = useElementSize<HTMLDivElement>();
  const now = usePlayhead(player.playhead, (time) => time);
  const time = posterAt ?? now;
  const frame = { width, height };
  const picture = placePicture(size, frame);
  const followed = isZoomed ? zoomOnBird(detections, chosenId, time, picture, frame) : undefined;
  const [hand, setHand] = useState<Hand>(untouched);
  const [wasZoomed, setWasZoomed] = useState(isZoomed);
  if (wasZoomed !== isZoomed) {
    setWasZoomed(isZoomed);
    setHand(untouched);
  }
  const base = followed ?? middleZoom;
  const zoom = { ...(hand.held ?? base), scale: clampScale(base.scale * hand.factor) };
  const view = isZoomed ? placeView(zoom, picture, frame) : unzoomed;

  const move = (dx: number, dy: number) => {
    const { x, y } = moveBy(zoom, dx, dy, picture);
    setHand(({ factor }) => ({ factor, held: { x, y } }));
  };
  const magnifyBy = (by: number) =>
    setHand(({ held, ...before }) => ({
      ...(held && { held }),
      factor: clampScale(base.scale * before.factor * by) / base.scale,
    }));
  const { ref: gestured, ...gestures } = useGestures(isZoomed, move, magnifyBy);
  const ref = useMergedRef(measured, gestured);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepByKey[event.key];
    const by = scaleByKey[event.key];
    if (!isZoomed || event.altKey || event.ctrlKey || event.metaKey) return;
    if (step) move(...step);
    else if (by) magnifyBy(by);
    else if (event.key === 'Escape') onUnzoom();
    else return;
    event.preventDefault();
  };
  const transform = `translate(${view.left}px, ${view.top}px) scale(${view.scale})`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame, and this groups no form fields.
    <div
      ref={ref}
      className={classes['pane']}
      data-zoomed={isZoomed || undefined}
      role="group"
      aria-label={t(isZoomed ? 'zoomed_picture' : 'picture')}
      tabIndex={isZoomed ? 0 : undefined}
      onKeyDown={onKeyDown}
      {...gestures}
    >
      <div className={classes['magnified']} style={isZoomed ? { transform } : undefined}>
        {children}
      </div>
      {hasBoxes && (
        <BoxLayer
          detections={detections}
          chosenId={chosenId}
          time={time}
          picture={picture}
          frameWidth={width}
          view={view}
        />
      )}
      {isZoomed && (
        <div className={classes['zoom']}>
          {hand.held && followed && (
            <ZoomButton label={t('zoom_follow')} onPress={() => setHand(({ factor }) => ({ factor }))}>
              <IconCurrentLocation size={20} aria-hidden />
            </ZoomButton>
          )}
          <ZoomButton label={t('zoom_in')} onPress={() => magnifyBy(zoomStep)}>
            <IconPlus size={20} aria-hidden />
          </ZoomButton>
          <ZoomButton label={t('zoom_out')} onPress={() => magnifyBy(1 / zoomStep)}>
            <IconMinus size={20} aria-hidden />
          </ZoomButton>
        </div>
      )}
    </div>
  );
}

/** Manual changes to the zoom. */
interface Hand {
  /** Factor on the scale that fits the bird. */
  readonly factor: number;
  /** Centre after dragging; without it, the view follows the bird. */
  readonly held?: Point;
}

const untouched: Hand = { factor: 1 };
const unzoomed: View = { scale: 1, left: 0, top: 0 };
const zoomStep = 1.4;
/** In px. */
const keyStep = 60;

const stepByKey: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [keyStep, 0],
  ArrowRight: [-keyStep, 0],
  ArrowUp: [0, keyStep],
  ArrowDown: [0, -keyStep],
};

const scaleByKey: Readonly<Record<string, number>> = { '+': zoomStep, '=': zoomStep, '-': 1 / zoomStep };

interface ZoomButtonProps {
  readonly label: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function ZoomButton({ label, onPress, children }: ZoomButtonProps) {
  return (
    <ActionIcon size={36} variant="default" aria-label={label} title={label} onClick={onPress}>
      {children}
    </ActionIcon>
  );
}

/** A pointer that moves further, in px, is dragging. */
const dragFrom = 5;

/** Handles dragging, pinching, and the wheel with the control key, which touch pads send for pinching. */
function useGestures(
  isOn: boolean,
  onMove: (dx: number, dy: number) => void,
  onMagnify: (by: number) => void,
) {
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const moved = useRef(0);
  const element = useRef<HTMLDivElement>(null);
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    onMagnify(Math.exp(-event.deltaY / 200));
  });
  useEffect(() => {
    const pane = element.current;
    if (!isOn || pane === null) return undefined;
    const listen = (event: WheelEvent) => onWheel(event);
    pane.addEventListener('wheel', listen, { passive: false });
    return () => pane.removeEventListener('wheel', listen);
  }, [isOn]);
  const release = ({ pointerId }: PointerEvent) => pointers.current.delete(pointerId);
  const spread = () => {
    const [one, other] = [...pointers.current.values()];
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : undefined;
  };
  return {
    ref: element,
    onPointerDown({ pointerId, clientX: x, clientY: y }: PointerEvent) {
      if (!isOn) return;
      if (pointers.current.size === 0) moved.current = 0;
      pointers.current.set(pointerId, { x, y });
    },
    onPointerMove({ pointerId, clientX: x, clientY: y, currentTarget }: PointerEvent) {
      const before = pointers.current.get(pointerId);
      if (!isOn || before === undefined) return;
      const spreadBefore = spread();
      const [dx, dy] = [x - before.x, y - before.y];
      moved.current += Math.hypot(dx, dy);
      if (moved.current <= dragFrom) return;
      currentTarget.setPointerCapture(pointerId);
      pointers.current.set(pointerId, { x, y });
      const count = pointers.current.size;
      onMove(dx / count, dy / count);
      const spreadNow = spread();
      if (spreadBefore && spreadNow) onMagnify(spreadNow / spreadBefore);
    },
    onPointerUp: release,
    onPointerCancel: release,
    // Dragging does not play or pause.
    onClickCapture(event: { preventDefault(): void; stopPropagation(): void }) {
      if (moved.current <= dragFrom) return;
      moved.current = 0;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

interface BoxLayerProps {
  readonly detections: readonly Detection[];
  readonly chosenId: number | undefined;
  readonly time: number;
  readonly picture: ReturnType<typeof placePicture>;
  readonly frameWidth: number;
  readonly view: View;
}

/** Labelled bounding boxes at a time. */
function BoxLayer({ detections, chosenId, time, picture, frameWidth, view }: BoxLayerProps) {
  const nameOf = useSpeciesName();
  const { percent } = useTimeFormat();
  return (
    <div className={classes['layer']} aria-hidden="true">
      {detections.map((detection, index) => {
        const box = boxAt(detection.frames, time);
        if (box === undefined) return null;
        const rectangle = magnify(placeBox(box, picture), view);
        return (
          <div
            key={detection.id}
            className={classes['box']}
            data-chosen={detection.id === chosenId || undefined}
            style={{ ...rectangle, borderColor: trackColor(index) }}
          >
            <span
              className={classes['label']}
              data-below={rectangle.top < 24 || undefined}
              data-leftward={rectangle.left > frameWidth / 2 || undefined}
              style={{ background: trackColor(index) }}
            >
              {nameOf(detection.species_name)} {percent(detection.confidence)}
            </span>
          </div>
        );
      })}
    </div>
  );
}
