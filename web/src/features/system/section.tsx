import { Card, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled section of the page. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <Card component="section" withBorder padding="lg" bg="var(--card-background)">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
