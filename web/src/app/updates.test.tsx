import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyUpdate, watchUpdates } from './updates';

class FakeWorker extends EventTarget {
  state = 'installing';
  readonly messages: unknown[] = [];
  postMessage(message: unknown): void {
    this.messages.push(message);
  }
}

class FakeRegistration extends EventTarget {
  installing: FakeWorker | null = null;
  waiting: FakeWorker | null = null;
  install(): FakeWorker {
    this.installing = new FakeWorker();
    this.dispatchEvent(new Event('updatefound'));
    return this.installing;
  }
  /** As the browser does it: the worker waits before its state changes. */
  finishInstalling(): void {
    const worker = this.installing;
    if (worker === null) throw new Error('nothing is being installed');
    [this.waiting, this.installing] = [worker, null];
    worker.state = 'installed';
    worker.dispatchEvent(new Event('statechange'));
  }
}

let registration: FakeRegistration;
let container: EventTarget & { controller: object | null };
let offers: number;
const watch = () =>
  watchUpdates(
    container as ServiceWorkerContainer,
    registration as unknown as ServiceWorkerRegistration,
    () => {
      offers += 1;
    },
  );

beforeEach(() => {
  registration = new FakeRegistration();
  container = Object.assign(new EventTarget(), { controller: null });
  offers = 0;
});

describe('watchUpdates', () => {
  it('with the first worker of a new browser, offers no update', () => {
    watch();
    const worker = registration.install();
    registration.finishInstalling();
    registration.waiting = null;
    worker.state = 'activated';
    worker.dispatchEvent(new Event('statechange'));
    expect(offers).toBe(0);
  });

  it('with a newer worker on a controlled page, offers the update once it is installed', () => {
    container.controller = {};
    watch();
    registration.install();
    expect(offers).toBe(0);
    registration.finishInstalling();
    expect(offers).toBe(1);
  });

  it('with a worker already installing or waiting, offers the update', () => {
    container.controller = {};
    registration.installing = new FakeWorker();
    watch();
    registration.finishInstalling();
    expect(offers).toBe(1);
    watch();
    expect(offers).toBe(2);
  });

  it('with a waiting worker on an uncontrolled page, offers no update', () => {
    registration.waiting = new FakeWorker();
    watch();
    expect(offers).toBe(0);
  });
});

describe('applyUpdate', () => {
  let reloads: number;
  beforeEach(() => {
    reloads = 0;
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());
  const apply = () =>
    applyUpdate(
      container as ServiceWorkerContainer,
      registration as unknown as ServiceWorkerRegistration,
      () => {
        reloads += 1;
      },
    );

  it('with a waiting worker, has it take over and then reloads the page', () => {
    const worker = new FakeWorker();
    registration.waiting = worker;
    apply();
    expect([worker.messages, reloads]).toEqual([[{ type: 'SKIP_WAITING' }], 0]);
    container.dispatchEvent(new Event('controllerchange'));
    vi.runAllTimers();
    expect(reloads).toBe(1);
  });

  it('with a worker that does not take over, reloads anyway', () => {
    registration.waiting = new FakeWorker();
    apply();
    vi.runAllTimers();
    expect(reloads).toBe(1);
  });

  it('without a waiting worker, reloads at once', () => {
    apply();
    expect(reloads).toBe(1);
  });
});
