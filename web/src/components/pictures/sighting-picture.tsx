import { IconEye } from '@tabler/icons-react';
import { PictureBadge } from './picture-badge';
import classes from './sighting-picture.module.css';
import { SpeciesPicture } from './species-picture';

interface SightingPictureProps {
  /** Picture of the species; a feather is shown without one. */
  readonly url: string | null;
  /** Accessible name: that a person saw it. */
  readonly label: string;
  /** Width divided by height. */
  readonly ratio?: number;
}

/** Placeholder for a sighting without a photo: a faded picture of the species with an eye. */
export function SightingPicture({ url, label, ratio = 4 / 3 }: SightingPictureProps) {
  return (
    <div className={classes['frame']}>
      <div className={classes['faded']}>
        <SpeciesPicture url={url} alt="" ratio={ratio} />
      </div>
      <PictureBadge label={label}>
        <IconEye size={15} aria-hidden />
      </PictureBadge>
    </div>
  );
}
