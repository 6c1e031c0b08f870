import { act, cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usePreviewTrigger } from './visit-preview';

const longMs = 1_000;
const shortMs = 100;

function Card({ name, onOpen }: { readonly name: string; readonly onOpen?: () => void }) {
  const { isPlaying, handlers } = usePreviewTrigger(true);
  return (
    <div {...handlers}>
      <button type="button" data-playing={isPlaying} onClick={onOpen}>
        {name}
      </button>
    </div>
  );
}

const card = (name = 'tit') => screen.getByRole('button', { name });
const isPlaying = (name?: string) => card(name).dataset['playing'] === 'true';
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const finger = { pointerType: 'touch', clientX: 10, clientY: 10 };
const mouse = { pointerType: 'mouse' };

/** Whether the browser would open its menu. */
function opensMenu(): boolean {
  const event = createEvent.contextMenu(card());
  fireEvent(card(), event);
  return !event.defaultPrevented;
}

/** The events of a browser when a finger is lifted. */
function lift(): void {
  fireEvent.pointerUp(card(), finger);
  fireEvent.pointerLeave(card(), finger);
  fireEvent.click(card());
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the preview of a visit', () => {
  it('under a resting mouse, plays until the mouse leaves', () => {
    render(<Card name="tit" />);
    fireEvent.pointerEnter(card(), mouse);
    expect(isPlaying()).toBe(false);
    wait(longMs);
    expect(isPlaying()).toBe(true);
    fireEvent.pointerLeave(card(), mouse);
    expect(isPlaying()).toBe(false);
  });

  it('under a mouse that passes, does not play', () => {
    render(<Card name="tit" />);
    fireEvent.pointerEnter(card(), mouse);
    wait(shortMs);
    fireEvent.pointerLeave(card(), mouse);
    wait(longMs);
    expect(isPlaying()).toBe(false);
  });

  it('started on a second card, ends that of the first', () => {
    render(
      <>
        <Card name="tit" />
        <Card name="robin" />
      </>,
    );
    for (const name of ['tit', 'robin']) {
      fireEvent.pointerDown(card(name), finger);
      wait(longMs);
    }
    expect([isPlaying('tit'), isPlaying('robin')]).toEqual([false, true]);
  });

  it('under a long press, plays on after the finger is lifted and opens neither the card nor a menu', () => {
    const onOpen = vi.fn();
    render(<Card name="tit" onOpen={onOpen} />);
    fireEvent.pointerDown(card(), finger);
    // Devices open their menu before or after the preview starts.
    wait(shortMs);
    expect(opensMenu()).toBe(false);
    wait(longMs);
    expect(isPlaying()).toBe(true);
    expect(opensMenu()).toBe(false);
    lift();
    expect(isPlaying()).toBe(true);
    expect(onOpen).not.toHaveBeenCalled();
  });

  it('under a tap, does not play and opens the card', () => {
    const onOpen = vi.fn();
    render(<Card name="tit" onOpen={onOpen} />);
    fireEvent.pointerDown(card(), finger);
    wait(shortMs);
    lift();
    wait(longMs);
    expect(isPlaying()).toBe(false);
    expect(onOpen).toHaveBeenCalledOnce();
    expect(opensMenu()).toBe(true);
  });

  it.each([
    ['moves', () => fireEvent.pointerMove(card(), { ...finger, clientY: 60 })],
    ['scrolls', () => fireEvent.pointerCancel(card(), finger)],
  ])('under a finger that %s, does not play', (_, move) => {
    render(<Card name="tit" />);
    fireEvent.pointerDown(card(), finger);
    wait(shortMs);
    move();
    wait(longMs);
    expect(isPlaying()).toBe(false);
  });

  it.each([
    ['reduced motion', () => vi.stubGlobal('matchMedia', () => ({ matches: true }))],
    ['less data', () => vi.stubGlobal('navigator', { connection: { saveData: true } })],
  ])('on a device that asks for %s, does not play, and a long press opens the menu', (_, ask) => {
    ask();
    render(<Card name="tit" />);
    fireEvent.pointerEnter(card(), mouse);
    wait(longMs);
    expect(isPlaying()).toBe(false);
    fireEvent.pointerDown(card(), finger);
    wait(longMs);
    expect(isPlaying()).toBe(false);
    expect(opensMenu()).toBe(true);
  });
});
