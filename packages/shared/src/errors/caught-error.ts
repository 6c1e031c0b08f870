/** Returns the message of a caught error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of a caught error, such as `ENOENT`; undefined for errors without one. */
export function errorCode(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Disk or quota full, or the largest size of a file reached. */
const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether an operation on files failed because there is no space. */
export const isDiskFull = (error: unknown): boolean => fullCodes.has(errorCode(error) ?? '');
