import { Badge } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';

/** Why a species of a day is worth a badge. */
export type NoteworthyReason = components['schemas']['Overview']['noteworthy'][number]['reason'];

/** White text is readable on each; the darkest orange of the palette is too light. */
const colors = { first_ever: '#b83c0a', new_this_year: 'moss.8', rare: 'grape.8' } as const;

/** A badge for a species that is new or rare here. */
export function NoteworthyBadge({
  reason,
  className,
}: {
  readonly reason: NoteworthyReason;
  readonly className?: string | undefined;
}) {
  const { t } = useTranslation('components');
  return (
    <Badge
      className={className ?? ''}
      color={colors[reason]}
      tt="none"
      fw={650}
      leftSection={<IconSparkles size={12} aria-hidden />}
    >
      {t(`noteworthy_${reason}`)}
    </Badge>
  );
}
