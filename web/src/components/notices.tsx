import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

interface UndoNotice {
  readonly message: string;
  /** Text of the button. */
  readonly label: string;
  readonly onUndo: () => void;
  readonly milliseconds?: number;
}

/** Shows a notice with an undo button. */
export function showUndoNotice({ message, label, onUndo, milliseconds = 10_000 }: UndoNotice): void {
  const id = notifications.show({
    autoClose: milliseconds,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" miw={0} style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button
          flex="none"
          size="compact-md"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          {label}
        </Button>
      </Group>
    ),
  });
}

/** Shows an error notice. */
export function showProblemNotice(message: string): void {
  notifications.show({ color: 'red', autoClose: 10_000, message });
}
