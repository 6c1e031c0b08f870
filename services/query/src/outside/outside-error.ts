/** A service outside the hub did not give what it was asked for. The text names host and path, never query or headers. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError';
  /** Whether the service is well and refused this one request, for example because of its key. */
  readonly isRefusal: boolean;
  /** Whether the service is well and has nothing under this address. */
  readonly isMissing: boolean;

  constructor(message: string, { isRefusal = false, isMissing = false } = {}) {
    super(message);
    this.isRefusal = isRefusal;
    this.isMissing = isMissing;
  }
}
