import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The script of a part of the UI did not load: the hub was updated meanwhile, or it cannot be reached. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super('a part of the UI did not load', { cause });
    this.name = 'MissingPart';
  }
}

const retryMs = 500;

/** Loads a part of the UI, with one retry. @throws MissingPart */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  const retry = async () => {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    return load();
  };
  return load()
    .catch(retry)
    .catch((error: unknown) => {
      throw new MissingPart(error);
    });
}

let laterStyles: Promise<unknown> | undefined;

/** Loads the styles of the components that are not shown first, once; a later call retries after a failure. */
function loadLaterStyles(): Promise<unknown> {
  laterStyles ??= import('./component-styles/later').catch((error: unknown) => {
    laterStyles = undefined;
    throw error;
  });
  return laterStyles;
}

/** Loads a part of the UI together with the styles of all components. @throws MissingPart */
export async function withLaterStyles<T>(load: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([loadPart(load), loadPart(loadLaterStyles)]);
  return part;
}

/** Returns a component that is loaded when it is first shown; see {@link MissingPart}. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadPart(load) }));
}

/** Returns a component that is loaded when it is first shown, together with the styles of all components. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await withLaterStyles(load) }));
}
