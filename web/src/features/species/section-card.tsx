import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './charts.module.css';

interface SectionCardProps {
  readonly title: string;
  /** Of when or of how many it tells. */
  readonly note?: string;
  readonly children: ReactNode;
}

/** A part of what is known of a species. */
export function SectionCard({ title, note, children }: SectionCardProps) {
  const id = useId();
  return (
    <section className={classes['card']} aria-labelledby={id}>
      <div>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {note && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </div>
      {children}
    </section>
  );
}
