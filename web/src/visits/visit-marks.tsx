import { Badge, Group, ThemeIcon } from '@mantine/core';
import { IconCheck, IconStarFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useHubFacts } from '../hub-facts/hub-facts';
import { useTimeFormat } from '../hub-time/time-format';
import type { VisitFacts } from './describe-visit';

interface VisitMarksProps {
  readonly facts: VisitFacts;
  readonly isFavorite: boolean;
}

const marks = [
  { name: 'favorite', icon: IconStarFilled, color: 'yellow' },
  { name: 'reviewed', icon: IconCheck, color: 'moss' },
] as const;

/** What is special about a visit, in small signs. */
export function VisitMarks({ facts, isFavorite }: VisitMarksProps) {
  const { t } = useTranslation('visits');
  const { percent } = useTimeFormat();
  const { doubtThreshold } = useHubFacts();
  const { unreviewedConfidence: confidence = 1 } = facts;
  const isMarked = { favorite: isFavorite, reviewed: facts.isReviewed };
  return (
    <Group gap={4} wrap="nowrap" flex="none">
      {confidence < doubtThreshold && (
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {t('doubt', { share: percent(confidence) })}
        </Badge>
      )}
      {marks
        .filter(({ name }) => isMarked[name])
        .map(({ name, icon: Icon, color }) => (
          <ThemeIcon
            key={name}
            size={20}
            radius="xl"
            variant="light"
            color={color}
            role="img"
            aria-label={t(name)}
            title={t(name)}
          >
            <Icon size={13} aria-hidden />
          </ThemeIcon>
        ))}
    </Group>
  );
}
