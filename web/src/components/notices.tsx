import { Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

interface UndoNotice {
  readonly message: string;
  /** Text of the button. */
  readonly label: string;
  readonly onUndo: () => void;
  /** False to keep it until it is hidden. */
  readonly milliseconds?: number | false;
  /** Link to the subject of the notice; it closes the notice. */
  readonly link?: { readonly label: string; readonly onOpen: () => void };
}

/** Shows a notice with an undo button; returns its id. */
export function showUndoNotice(notice: UndoNotice): string {
  const { message, label, onUndo, milliseconds = 10_000, link } = notice;
  const id = notifications.show({
    autoClose: milliseconds,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" miw={0} style={{ overflowWrap: 'anywhere' }}>
          {message}{' '}
          {link && (
            <Anchor
              component="button"
              type="button"
              inherit
              onClick={() => {
                notifications.hide(id);
                link.onOpen();
              }}
            >
              {link.label}
            </Anchor>
          )}
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
  return id;
}

/** Shows an error notice. */
export function showProblemNotice(message: string): void {
  notifications.show({ color: 'red', autoClose: 10_000, message });
}
