import { Anchor, Group, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './card.module.css';

interface CardProps {
  readonly title: string;
  /** Shown next to the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of the page. */
export function Card({ title, aside, children }: CardProps) {
  const titleId = useId();
  return (
    <section className={classes['card']} aria-labelledby={titleId}>
      <Group justify="space-between" align="baseline" gap="xs" mb="sm">
        <Title order={2} size="h5" id={titleId}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </section>
  );
}

/** Title of a part of the page outside of cards. */
export function SectionTitle({ children }: { readonly children: ReactNode }) {
  return (
    <Title order={2} size="h4" mb="xs">
      {children}
    </Title>
  );
}

/** Link to the system page. */
export function SystemLink() {
  const { t } = useTranslation('today');
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/system" {...props} />}>
      {t('to_system')}
    </Anchor>
  );
}

/** Link to the sources of birds. */
export function SourcesLink() {
  const { t } = useTranslation('today');
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/sources" {...props} />}>
      {t('to_sources')}
    </Anchor>
  );
}
