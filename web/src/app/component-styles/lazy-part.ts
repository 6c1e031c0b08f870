import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

let laterStyles: Promise<unknown> | undefined;

/** Loads the styles of the components that are not shown first, once; a later call retries after a failure. */
function loadLaterStyles(): Promise<unknown> {
  laterStyles ??= import('./later').catch((error: unknown) => {
    laterStyles = undefined;
    throw error;
  });
  return laterStyles;
}

/** Loads a part of the UI together with the styles of all components. */
export async function withLaterStyles<T>(load: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([load(), loadLaterStyles()]);
  return part;
}

/** Returns a component that is loaded when it is first shown, together with the styles of all components. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await withLaterStyles(load) }));
}
