import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { releaseHighPass, setHighPass } from './high-pass';

/** A node that records what it is connected to. */
class FakeNode {
  to: unknown;
  readonly options: unknown;
  constructor(_context?: unknown, options?: unknown) {
    this.options = options;
  }
  connect(to: unknown): void {
    this.to = to;
  }
  disconnect(): void {
    this.to = undefined;
  }
}

const contexts: FakeContext[] = [];

/** An element of which only the identity matters. */
const createMedia = () => ({}) as HTMLMediaElement;

class FakeContext {
  readonly destination = 'speakers';
  readonly source = new FakeNode();
  isClosed = false;
  constructor() {
    contexts.push(this);
  }
  createMediaElementSource(): FakeNode {
    return this.source;
  }
  resume = async () => undefined;
  close = async () => {
    this.isClosed = true;
  };
}

describe('setHighPass', () => {
  beforeEach(() => {
    contexts.length = 0;
    vi.stubGlobal('AudioContext', FakeContext);
    vi.stubGlobal('BiquadFilterNode', FakeNode);
  });
  afterEach(() => vi.unstubAllGlobals());

  it('when switched on, off and on again, captures the element once', () => {
    const media = createMedia();
    setHighPass(media, true);
    const [context] = contexts;
    const filter = context?.source.to as FakeNode;
    expect([filter.options, filter.to]).toEqual([{ type: 'highpass', frequency: 500 }, 'speakers']);
    setHighPass(media, false);
    expect(context?.source.to).toBe('speakers');
    setHighPass(media, true);
    expect([context?.source.to, contexts.length]).toEqual([filter, 1]);
    releaseHighPass(media);
    expect(context?.isClosed).toBe(true);
  });

  it('when never switched on, captures nothing', () => {
    setHighPass(createMedia(), false);
    expect(contexts).toEqual([]);
  });
});
