import { SegmentedControl, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePicture } from '../../components/pictures/hub-picture';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { trackColor } from '../recording/box-overlay';
import classes from './bird-places.module.css';
import { busiestNinth, heatPixels } from './busiest-place';
import type { CameraPlaces } from './camera-queries';

const maxShownPaths = 12;

type Layer = 'heat' | 'paths';

/** Where birds were in the picture of a camera, as a heat map, and how they moved through it. */
export function BirdPlaces({ places }: { readonly places: CameraPlaces }) {
  const { t } = useTranslation('live-view');
  const { number } = useTimeFormat();
  const [layer, setLayer] = useState<Layer>('heat');
  const [hovered, setHovered] = useState<number>();
  const { birds, is_complete, poster_url } = places;
  const paths = places.paths.slice(0, maxShownPaths);
  const place = busiestNinth(places);
  if (place === undefined) return <Text c="dimmed">{t('no_places')}</Text>;
  const summary = t('most_at', { place: t(`at_${place}`) });
  return (
    <>
      <div className={classes['head']}>
        <Text size="sm">
          {summary}{' '}
          <Text span size="sm" c="dimmed">
            {t(is_complete ? 'birds_placed' : 'newest_birds_placed', { count: birds, birds: number(birds) })}
          </Text>
        </Text>
        {paths.length > 0 && (
          <SegmentedControl
            size="xs"
            aria-label={t('layer')}
            value={layer}
            onChange={(value) => setLayer(value === 'paths' ? 'paths' : 'heat')}
            data={[
              { value: 'heat', label: t('heat') },
              { value: 'paths', label: t('paths') },
            ]}
          />
        )}
      </div>
      <div className={classes['stage']} data-layer={layer}>
        {poster_url !== null && <Background key={poster_url} address={poster_url} />}
        {layer === 'heat' ? (
          <HeatMap places={places} label={summary} />
        ) : (
          <Paths paths={paths} hovered={hovered} label={t('paths_shown', { count: paths.length })} />
        )}
      </div>
      {layer === 'heat' ? (
        <div className={classes['scale']} aria-hidden="true">
          {t('few')}
          <span className={classes['ramp']} />
          {t('many')}
        </div>
      ) : (
        <PathList paths={paths} onHover={setHovered} />
      )}
    </>
  );
}

/** The poster of a recording, which sets the aspect ratio. */
function Background({ address }: { readonly address: string }) {
  const { attempt, state, ...image } = usePicture(address);
  if (state.kind === 'failed') return null;
  return (
    <img
      key={attempt}
      {...image}
      alt=""
      className={classes['background']}
      data-shown={state.kind === 'shown' || undefined}
    />
  );
}

interface HeatMapProps {
  readonly places: CameraPlaces;
  readonly label: string;
}

function HeatMap({ places, label }: HeatMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { columns, rows } = places;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    context?.putImageData(new ImageData(heatPixels(places), columns, rows), 0, 0);
  }, [places, columns, rows]);
  return (
    <canvas
      ref={canvas}
      width={columns}
      height={rows}
      className={classes['overlay']}
      role="img"
      aria-label={label}
    />
  );
}

type Path = CameraPlaces['paths'][number];

interface PathsProps {
  readonly paths: readonly Path[];
  /** Id of the hovered or focused detection. */
  readonly hovered: number | undefined;
  readonly label: string;
}

function Paths({ paths, hovered, label }: PathsProps) {
  return (
    <svg
      className={classes['overlay']}
      viewBox="0 0 1000 1000"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {paths.map(({ detection_id, points }, index) => (
        <g
          key={detection_id}
          className={classes['path']}
          style={{ color: trackColor(index) }}
          data-dimmed={(hovered !== undefined && hovered !== detection_id) || undefined}
        >
          <polyline className={classes['edge']} points={toPoints(points)} />
          <polyline className={classes['line']} points={toPoints(points)} />
          <polyline className={classes['end']} points={toPoints(points.slice(-1).concat(points.slice(-1)))} />
        </g>
      ))}
    </svg>
  );
}

const toPoints = (points: readonly (readonly number[])[]) =>
  points.map(([x = 0, y = 0]) => `${x * 1000},${y * 1000}`).join(' ');

interface PathListProps {
  readonly paths: readonly Path[];
  readonly onHover: (detectionId: number | undefined) => void;
}

/** Links to the recordings of the paths; hovering over one highlights its path. */
function PathList({ paths, onHover }: PathListProps) {
  const nameOf = useSpeciesName();
  const { moment } = useTimeFormat();
  return (
    <ul className={classes['list']}>
      {paths.map(({ detection_id, video_id, species_name, start_time }, index) => (
        <li key={detection_id}>
          <Link
            className={classes['bird']}
            to="/videos/$id"
            params={{ id: String(video_id) }}
            search={{ detection: detection_id }}
            onPointerEnter={() => onHover(detection_id)}
            onPointerLeave={() => onHover(undefined)}
            onFocus={() => onHover(detection_id)}
            onBlur={() => onHover(undefined)}
          >
            <span className={classes['dot']} style={{ background: trackColor(index) }} aria-hidden="true" />
            <span className={classes['name']}>{nameOf(species_name)}</span>
            <span className={classes['when']}>{moment(start_time)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
