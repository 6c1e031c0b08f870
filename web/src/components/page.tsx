import { Container, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useHubFacts } from '../lib/hub-facts';

interface PageProps {
  readonly title: string;
  /** Shown next to the title. */
  readonly actions?: ReactNode;
  /** Whether the page may use more of a wide screen. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

let shownPath = window.location.pathname;
let hasNavigated = false;

/** Focuses the heading of a page that was navigated to, unless something in the page has the focus. */
function focusHeading(heading: HTMLElement | null): void {
  const { activeElement } = document;
  const isNew = window.location.pathname !== shownPath;
  shownPath = window.location.pathname;
  hasNavigated ||= isNew;
  const isLost = hasNavigated && activeElement === document.body;
  if (isLost || (isNew && !activeElement?.closest('main'))) heading?.focus({ preventScroll: true });
}

/** Layout of a page; sets its heading and the title of the browser tab. */
export function Page({ title, actions, isWide = false, children }: PageProps) {
  const { name } = useHubFacts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusHeading(heading.current), []);
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <Container size={isWide ? 1640 : 'xl'} px={{ base: 'sm', sm: 'md' }} py="md">
      <Group justify="space-between" mb="md" gap="xs" wrap="wrap">
        <Title ref={heading} tabIndex={-1} style={{ outline: 'none' }} order={1} size="h2">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Container>
  );
}
