import type { Settings, SettingsReader } from '@birdhub/domain/settings';

/** The stored password hashes, empty when not set, and the idle timeout of sessions. */
export interface StoredPasswords {
  readonly admin: string;
  readonly contributor: string;
  readonly idleMinutes: number;
}

/** The cached passwords; while the database is unavailable, those that were read last. */
export interface KnownPasswords {
  /** Undefined until they were first read. */
  current(): StoredPasswords | undefined;
  /** The read in progress, if any; it never rejects. */
  pending(): Promise<void> | undefined;
  /** Reads the passwords again, after a change. */
  refresh(): Promise<void>;
}

/** Whether any password is set. */
export function isProtected({ admin, contributor }: StoredPasswords): boolean {
  return admin !== '' || contributor !== '';
}

function toPasswords({ general }: Settings): StoredPasswords {
  const { settings_password: admin, contributor_password: contributor, session_idle_minutes } = general;
  return { admin, contributor, idleMinutes: session_idle_minutes };
}

/** Keeps the passwords of the settings in memory. */
export function followPasswords(
  settings: Pick<SettingsReader, 'current' | 'forget' | 'watch'>,
): KnownPasswords {
  let known: StoredPasswords | undefined;
  let pending: Promise<void> | undefined;
  settings.watch(
    (current) => {
      known = toPasswords(current);
    },
    ['general'],
  );

  async function read(): Promise<void> {
    settings.forget();
    // The settings reader logs failures and retries.
    const current = await settings.current().catch(() => undefined);
    if (current) known = toPasswords(current);
  }

  function refresh(): Promise<void> {
    const reading = read().finally(() => {
      if (pending === reading) pending = undefined;
    });
    pending = reading;
    return reading;
  }

  return { current: () => known, pending: () => pending, refresh };
}
