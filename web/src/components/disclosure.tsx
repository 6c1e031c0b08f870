import { Button, Collapse, Group, Stack } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';

interface DisclosureProps {
  readonly label: string;
  readonly isOpenAtFirst?: boolean;
  /** Whether it must be seen now, such as for an error in it. */
  readonly isRevealed?: boolean;
  readonly children: ReactNode;
}

/** A button that shows and hides what most people do without. */
export function Disclosure({ label, isOpenAtFirst = false, isRevealed = false, children }: DisclosureProps) {
  const id = useId();
  const [isWanted, setIsWanted] = useState(isOpenAtFirst);
  const isOpen = isWanted || isRevealed;
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
          onClick={() => setIsWanted(!isOpen)}
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
