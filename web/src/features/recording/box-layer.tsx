import { useElementSize } from '@mantine/hooks';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import classes from './box-layer.module.css';
import { boxAt, placeBox, placePicture } from './box-overlay';
import type { Detection } from './recording-queries';
import { trackColor } from './track-colors';
import { type Player, usePlayhead } from './use-player';

interface BoxLayerProps {
  readonly player: Player;
  readonly detections: readonly Detection[];
  /** The detection that is looked at. */
  readonly chosenId: number | undefined;
}

/** Boxes with names over the video, in step with its pictures; none over the poster before it begins. */
export function BoxLayer({ player, detections, chosenId }: BoxLayerProps) {
  const { ref, width, height } = useElementSize();
  const nameOf = useSpeciesName();
  const { percent } = useTimeFormat();
  const time = usePlayhead(player.playhead, (now) => now);
  const picture = placePicture(player.picture, { width, height });
  return (
    <div ref={ref} className={classes['layer']} aria-hidden="true">
      {detections.map((detection, place) => {
        const box = time === 0 ? undefined : boxAt(detection.frames, time);
        if (box === undefined) return null;
        const rectangle = placeBox(box, picture);
        return (
          <div
            key={detection.id}
            className={classes['box']}
            data-chosen={detection.id === chosenId || undefined}
            style={{ ...rectangle, borderColor: trackColor(place) }}
          >
            <span
              className={classes['label']}
              data-below={rectangle.top < 24 || undefined}
              data-leftward={rectangle.left > width / 2 || undefined}
              style={{ background: trackColor(place) }}
            >
              {nameOf(detection.species_name)} {percent(detection.confidence)}
            </span>
          </div>
        );
      })}
    </div>
  );
}
