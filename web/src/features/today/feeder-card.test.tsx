import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import { DispenseButton, FoodOffered } from './feeder-card';
// The card loads it on first use, which would take longer than a test waits.
import './food-chips';
import today from './texts/en.json';

afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
  vi.unstubAllGlobals();
});

const texts = { today, components };
const feed = { feed_source: 'mqtt', last_dispense_at: null, cooldown_seconds: 30 };
const refused = (status: number, code: string) => () => ({
  status,
  body: { error: 'Refused.', code, request_id: 'r' },
});

describe('DispenseButton', () => {
  it('when pressed, sends one request and confirms it', async () => {
    const { calls } = stubHub({
      'POST /api/ui/feed/dispense': () => ({
        body: { message: '', dispensed_at: new Date().toISOString() },
      }),
    });
    await renderPart(<DispenseButton feed={feed} />, texts);
    fireEvent.click(screen.getByRole('button', { name: 'Dispense food' }));
    await screen.findByText('Food dispensed.');
    expect(calls.filter(([call]) => call === 'POST /api/ui/feed/dispense')).toHaveLength(1);
  });

  it('just after dispensing, is disabled until the cooldown is over', async () => {
    stubHub({});
    const last_dispense_at = new Date(Date.now() - 10_000).toISOString();
    await renderPart(<DispenseButton feed={{ ...feed, last_dispense_at }} />, texts);
    const button = screen.getByRole('button', { name: /^Ready in (20|19) s$/ });
    expect(button).toHaveProperty('disabled', true);
  });

  it.each([
    [429, 'feeder_cooldown', 'just dispensed'],
    [409, 'dispense_in_progress', 'Already dispensing'],
    [502, 'upstream_unavailable', 'is not responding'],
    [503, 'storage_full', 'disk is full'],
  ])('when refused with %i %s, shows the reason', async (status, code, words) => {
    stubHub({ 'POST /api/ui/feed/dispense': refused(status, code) });
    await renderPart(<DispenseButton feed={feed} />, texts);
    fireEvent.click(screen.getByRole('button', { name: 'Dispense food' }));
    expect((await screen.findByRole('alert')).textContent).toContain(words);
  });
});

describe('DispenseButton, pressed offline', () => {
  it('shows a failure and sends nothing when back online', async () => {
    const fetched = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    vi.stubGlobal('fetch', fetched);
    await renderPart(<DispenseButton feed={feed} />, texts);
    act(() => onlineManager.setOnline(false));
    fireEvent.click(screen.getByRole('button', { name: 'Dispense food' }));
    await screen.findByRole('alert');
    const before = fetched.mock.calls.length;
    await act(async () => onlineManager.setOnline(true));
    expect(fetched.mock.calls.length).toBe(before);
  });
});

describe('FoodOffered', () => {
  const foods = [
    { id: 1, name: 'Sunflower seeds', active: true, description: null, image_url: null },
    { id: 2, name: 'Suet cake', active: false, description: null, image_url: null },
  ];
  const hub: Replies = {
    'GET /api/ui/birdfood': () => ({ body: foods }),
    'PATCH /api/ui/birdfood/2/toggle': () => ({ body: { message: '', id: 2, active: true } }),
  };

  it('when food is added, sends it and updates the list', async () => {
    const { calls } = stubHub(hub);
    await renderPart(<FoodOffered />, texts);
    await screen.findByText('On offer: Sunflower seeds');
    fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Suet cake' }));
    await screen.findByText('On offer: Sunflower seeds, Suet cake');
    expect(calls.map(([call]) => call)).toContain('PATCH /api/ui/birdfood/2/toggle');
  });

  it('when another food is typed, adds it and offers it', async () => {
    const { calls } = stubHub({
      ...hub,
      'POST /api/ui/birdfood': (food) => {
        foods.push({
          id: 3,
          active: true,
          description: null,
          image_url: null,
          ...(food as { name: string }),
        });
        return { status: 201, body: { message: '', id: 3 } };
      },
    });
    await renderPart(<FoodOffered />, texts);
    fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    fireEvent.change(await screen.findByLabelText('Other food'), { target: { value: ' Apples ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    await screen.findByText('On offer: Sunflower seeds, Apples');
    expect(calls).toContainEqual(['POST /api/ui/birdfood', { name: 'Apples' }]);
    expect(screen.getByLabelText('Other food')).toHaveProperty('value', '');
    expect(document.activeElement).toBe(screen.getByLabelText('Other food'));
    foods.pop();
  });

  it('when more is typed while a food is added, keeps it', async () => {
    stubHub({ ...hub, 'POST /api/ui/birdfood': () => ({ status: 201, body: { message: '', id: 3 } }) });
    await renderPart(<FoodOffered />, texts);
    fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    const field = await screen.findByLabelText('Other food');
    fireEvent.change(field, { target: { value: 'Apples' } });
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    fireEvent.change(field, { target: { value: 'Pears' } });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add' })).toHaveProperty('disabled', true));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Add' })).toHaveProperty('disabled', false),
    );
    expect(field).toHaveProperty('value', 'Pears');
  });

  it('when a listed food is typed, only offers it', async () => {
    const { calls } = stubHub(hub);
    await renderPart(<FoodOffered />, texts);
    fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    fireEvent.change(await screen.findByLabelText('Other food'), { target: { value: 'suet CAKE' } });
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(calls.map(([call]) => call)).toContain('PATCH /api/ui/birdfood/2/toggle'));
    expect(calls.map(([call]) => call)).not.toContain('POST /api/ui/birdfood');
  });

  it('in another language, has the names of foods of a new hub in it, and others as they are', async () => {
    stubHub({
      'GET /api/ui/birdfood': () => ({ body: [...foods, { id: 3, name: 'Apples', active: true }] }),
    });
    await renderPart(<FoodOffered />, texts, {}, { language: 'de' });
    await screen.findByText('On offer: Sonnenblumenkerne, Apples');
  });

  it('when the hub refuses, keeps the list and shows the reason', async () => {
    stubHub({ ...hub, 'PATCH /api/ui/birdfood/2/toggle': refused(503, 'overloaded') });
    await renderPart(<FoodOffered />, texts);
    fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Suet cake' }));
    expect((await screen.findByRole('alert')).textContent).toContain('busy');
    await waitFor(() => expect(screen.getByText('On offer: Sunflower seeds')).toBeTruthy());
  });
});
