import { Button, Collapse, Group, Stack } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';

interface DisclosureProps {
  readonly label: string;
  readonly isInitiallyOpen?: boolean;
  /** Keeps it open, for example to show an error in it. */
  readonly isRevealed?: boolean;
  readonly children: ReactNode;
}

/** A button that shows and hides less common options. */
export function Disclosure({
  label,
  isInitiallyOpen = false,
  isRevealed = false,
  children,
}: DisclosureProps) {
  const id = useId();
  const [isToggledOpen, setIsToggledOpen] = useState(isInitiallyOpen);
  const isOpen = isToggledOpen || isRevealed;
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="subtle"
          size="sm"
          px="xs"
          aria-expanded={isOpen}
          aria-controls={id}
          rightSection={<Chevron size={16} aria-hidden />}
          onClick={() => setIsToggledOpen(!isOpen)}
        >
          {label}
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={id} transitionDuration={0}>
        {children}
      </Collapse>
    </Stack>
  );
}
