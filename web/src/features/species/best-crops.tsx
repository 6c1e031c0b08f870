import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { linkToMoment, type TimelineItem } from '../../components/visits/describe-visit';
import { useTimeFormat } from '../../lib/format';
import classes from './best-crops.module.css';
import { chooseCrops } from './choose-crops';

/** As many as stand in one row. */
const most = 5;

/** The best pictures of the newest visits; each leads to its recording. */
export function BestCrops({ visits }: { readonly visits: readonly TimelineItem[] }) {
  const { t } = useTranslation('species');
  const { moment } = useTimeFormat();
  const crops = chooseCrops(visits, most);
  if (crops.length < 2) return null;
  return (
    <ul className={classes['row']} aria-label={t('pictures')}>
      {crops.map(({ detectionId, videoId, startTime }) => (
        <li key={detectionId}>
          <Link
            {...linkToMoment({ videoId, detectionId })}
            aria-label={t('picture_of', { moment: moment(startTime) })}
            title={moment(startTime)}
            className={classes['crop']}
          >
            <SpeciesPicture url={`/api/ui/detections/${detectionId}/crop`} alt="" ratio={1} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
