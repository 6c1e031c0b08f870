/** Returns the message of a caught error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of a caught error, such as `ENOENT`; undefined for errors without one. */
export function errorCode(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Whether an operation failed because a file or a folder of its path does not exist. */
export function isMissingFile(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Resolves to undefined when an operation fails because a file or a folder of its path does not exist. */
export async function undefinedIfMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** Disk or quota full, or the largest size of a file reached. */
const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether an operation on files failed because there is no space. */
export const isDiskFull = (error: unknown): boolean => fullCodes.has(errorCode(error) ?? '');
