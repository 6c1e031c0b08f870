import { Container, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useHubFacts } from '../lib/hub-facts';

interface PageProps {
  readonly title: string;
  /** Shown next to the title. */
  readonly actions?: ReactNode;
  /** Whether the page may use more of a wide screen. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** Layout of a page; sets its heading and the title of the browser tab. */
export function Page({ title, actions, isWide = false, children }: PageProps) {
  const { name } = useHubFacts();
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <Container size={isWide ? 1640 : 'xl'} px={{ base: 'sm', sm: 'md' }} py="md">
      <Group justify="space-between" mb="md" gap="xs" wrap="wrap">
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Container>
  );
}
