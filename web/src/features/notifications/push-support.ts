/** Why a device cannot receive notifications. */
export type PushObstacle = 'needs_https' | 'needs_home_screen' | 'not_supported' | 'denied';

/** Properties of device and browser on which web push depends. */
export interface PushEnvironment {
  /** HTTPS or localhost. */
  readonly isSecure: boolean;
  readonly hasPush: boolean;
  readonly userAgent: string;
  /** More than one on an iPad, whose user agent is that of a Mac. */
  readonly touchPoints: number;
  /** Whether the page was opened from the home screen. */
  readonly isInstalled: boolean;
  /** Undefined without support for notifications. */
  readonly permission: NotificationPermission | undefined;
}

function isApplePhone({ userAgent, touchPoints }: PushEnvironment): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1);
}

/** Returns why push is not possible, or undefined. */
export function findObstacle(environment: PushEnvironment): PushObstacle | undefined {
  const { isSecure, hasPush, isInstalled, permission } = environment;
  if (!isSecure) return 'needs_https';
  if (isApplePhone(environment) && !isInstalled) return 'needs_home_screen';
  if (!hasPush || permission === undefined) return 'not_supported';
  return permission === 'denied' ? 'denied' : undefined;
}

/** Reads the properties of this device. */
export function readEnvironment(): PushEnvironment {
  return {
    isSecure: window.isSecureContext,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in window,
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    isInstalled: window.matchMedia('(display-mode: standalone)').matches,
    permission: 'Notification' in window ? Notification.permission : undefined,
  };
}

/** Decodes base64url. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** Whether a subscription uses this key; unknown keys are accepted. */
export function isKeyOf(options: PushSubscriptionOptions, key: Uint8Array): boolean {
  if (options.applicationServerKey === null) return true;
  const own = new Uint8Array(options.applicationServerKey);
  return own.length === key.length && own.every((byte, index) => byte === key[index]);
}
