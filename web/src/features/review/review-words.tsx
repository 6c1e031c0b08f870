import { Alert, Anchor, Group, Switch, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import type { Scope } from './reach';
import classes from './review.module.css';
import type { Unknown } from './review-queue';

interface ReviewWordsProps {
  readonly item: Unknown;
  readonly failure: Error | undefined;
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
  /** Detections of its visit; undefined until that is known. */
  readonly visitSize: number | undefined;
}

/** Why it is to be looked at, and what a verdict goes for. */
export function ReviewWords({ item, failure, scope, onScope, visitSize }: ReviewWordsProps) {
  const { t } = useTranslation('review');
  const format = useTimeFormat();
  const name = useSpeciesName()(item.species_name);
  const share = format.percent(item.confidence);
  const isGeneric = item.review_reason === 'generic_species';
  return (
    <div className={classes['words']}>
      <Group justify="space-between" align="start" gap="xs">
        <div aria-live="polite">
          <Title order={2} size="h4">
            {isGeneric ? t('generic') : t('is_it', { name })}
          </Title>
          <Text size="sm" c="dimmed">
            {t(isGeneric ? 'generic_why' : item.source === 'audio' ? 'heard_why' : 'seen_why', {
              name,
              share,
            })}{' '}
            {format.moment(item.start_time)} ·{' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => (
                <Link {...props} to="/videos/$id" params={{ id: String(item.video_id) }} />
              )}
            >
              {t('open_recording')}
            </Anchor>
          </Text>
        </div>
        <Switch
          label={visitSize === undefined ? t('whole_visit') : t('whole_visit_of', { count: visitSize })}
          checked={scope === 'visit'}
          onChange={({ currentTarget }) => onScope(currentTarget.checked ? 'visit' : 'single_track')}
        />
      </Group>
      {failure && (
        <Alert color="red" role="alert" p="xs" mt="xs">
          {t('failed_before', { reason: problemText(t, failure) })}
        </Alert>
      )}
    </div>
  );
}
