import { Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly title: string;
  /** What stands beside the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page with its heading. */
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
