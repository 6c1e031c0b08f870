import { isSourceKind, type SourceKind } from './source-kinds';

/** Search parameters of the sources page. */
export interface SourcesSearch {
  /** Kind of the source whose form is open. */
  readonly add?: SourceKind;
  /** Id of the source that is edited. */
  readonly edit?: number;
  /** Id of the newly added source. */
  readonly added?: number;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Validates search parameters; invalid ones are dropped, so that old links still work. */
export function sourcesSearch({ add, edit, added }: Record<string, unknown>): SourcesSearch {
  if (isSourceKind(add)) return { add };
  if (isId(edit)) return { edit };
  return isId(added) ? { added } : {};
}
