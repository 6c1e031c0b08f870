/** Why a device cannot be sent messages. */
export type Hindrance = 'needs_https' | 'needs_home_screen' | 'not_supported' | 'denied';

/** What of a device and its browser decides about messages. */
export interface PushSurroundings {
  /** Whether the page came by HTTPS or from this device. */
  readonly isSecure: boolean;
  readonly hasPush: boolean;
  readonly userAgent: string;
  /** More than one on an iPad, which calls itself a Mac. */
  readonly touchPoints: number;
  /** Whether the page was opened from the home screen. */
  readonly isInstalled: boolean;
  /** Undefined where the browser knows no messages. */
  readonly permission: NotificationPermission | undefined;
}

function isApplePhone({ userAgent, touchPoints }: PushSurroundings): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1);
}

/** What stands in the way of messages; undefined when nothing does. */
export function hindranceOf(surroundings: PushSurroundings): Hindrance | undefined {
  const { isSecure, hasPush, isInstalled, permission } = surroundings;
  if (!isSecure) return 'needs_https';
  if (isApplePhone(surroundings) && !isInstalled) return 'needs_home_screen';
  if (!hasPush || permission === undefined) return 'not_supported';
  return permission === 'denied' ? 'denied' : undefined;
}

/** Those of this page. */
export function surroundings(): PushSurroundings {
  return {
    isSecure: window.isSecureContext,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in window,
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    isInstalled: window.matchMedia('(display-mode: standalone)').matches,
    permission: 'Notification' in window ? Notification.permission : undefined,
  };
}
