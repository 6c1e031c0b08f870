import { Component, type ReactNode, Suspense } from 'react';
import { reloadOnce } from '../lib/reload-once';
import { MissingPart } from './lazy-part';

const listeners = new Set<() => void>();
let isAnyMissing = false;

async function reportMissing(): Promise<void> {
  if (isAnyMissing || (await reloadOnce())) return;
  isAnyMissing = true;
  for (const listener of listeners) listener();
}

/** Whether a part of the page did not load; for `useSyncExternalStore`. */
export const missingParts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isAny: (): boolean => isAnyMissing,
};

interface PartBoundaryProps {
  readonly children: ReactNode;
  /** Shown while the part is loading. */
  readonly fallback?: ReactNode;
  /** A part that did not load is tried again when this changes. */
  readonly isOpen?: boolean;
  /** Called when the part did not load: closes what was to be opened. */
  readonly onMissing?: () => void;
}

interface PartBoundaryState {
  readonly error: unknown;
}

/** Contains a part that is loaded when it is shown: without its script, the page stays and the shell says so. */
export class PartBoundary extends Component<PartBoundaryProps, PartBoundaryState> {
  override state: PartBoundaryState = { error: undefined };

  static getDerivedStateFromError(error: unknown): PartBoundaryState {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof MissingPart)) return;
    this.props.onMissing?.();
    void reportMissing();
  }

  override componentDidUpdate(before: PartBoundaryProps): void {
    const isReopened = this.props.isOpen === true && before.isOpen === false;
    if (isReopened && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error instanceof MissingPart) return null;
    if (error !== undefined) throw error;
    return <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
  }
}
