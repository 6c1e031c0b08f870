export function NotificationHint() {
  return null;
}
