import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  /** Its purpose in a sentence. */
  readonly about: string;
  readonly children: ReactNode;
}

/** A titled section of the page. */
export function Section({ title, about, children }: SectionProps) {
  return (
    <Paper component="section" bg="var(--card-background)" p={{ base: 'md', sm: 'lg' }} radius="lg">
      <Stack gap="md">
        <div>
          <Title order={2} size="h3">
            {title}
          </Title>
          <Text c="dimmed">{about}</Text>
        </div>
        {children}
      </Stack>
    </Paper>
  );
}
