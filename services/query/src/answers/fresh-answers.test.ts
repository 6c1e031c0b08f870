import { describe, expect, it, vi } from 'vitest';
import { aQuestion, askNow, inDay, muchLater, pool, replica, setUpAnswers } from '../testing/answers.js';

describe('ask with rings of the caller', () => {
  it('they are heard already, is answered from memory', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    hub.ring(muchLater);
    await askNow(hub, asked);
    expect(await askNow(hub, asked, 'writer:1')).toBe('1');
  });

  it('they are heard soon, is answered anew and kept', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    await askNow(hub, asked);
    setTimeout(() => hub.ring(inDay), 5);
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
  });

  it('they are not heard in time, is answered anew and kept, and they are waited for no more', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    await askNow(hub, asked);
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
    expect(await askNow(hub, asked)).toBe('2');
  });

  it('they are heard after all, forgets what they changed', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    await askNow(hub, asked, 'writer:1');
    hub.ring(inDay);
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
  });

  it('they are given up while another answer is made, does not keep that one', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    const early = hub.answers.ask(asked.question, undefined);
    const late = hub.answers.ask(asked.question, 'writer:1');
    await vi.waitUntil(() => asked.askedPools.length === 2);
    asked.finish();
    expect([(await early).body.toString(), (await late).body.toString()]).toEqual(['1', '2']);
    expect(await askNow(hub, asked)).toBe('2');
  });

  it('nobody listens, is answered from the database without a wait', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    hub.state.isListening = false;
    const answer = hub.answers.ask(asked.question, 'writer:1');
    asked.finish();
    expect((await answer).body.toString()).toBe('1');
  });
});

describe('ask with a replica', () => {
  it('any question, is asked of the replica each time', async () => {
    const [hub, asked] = [setUpAnswers({ hasReplica: true }), aQuestion()];
    expect([await askNow(hub, asked), await askNow(hub, asked)]).toEqual(['1', '2']);
    expect(asked.askedPools).toEqual([replica, replica]);
  });

  it('rings of the caller, is asked of the primary', async () => {
    const [hub, asked] = [setUpAnswers({ hasReplica: true }), aQuestion()];
    await askNow(hub, asked, 'writer:1');
    expect(asked.askedPools).toEqual([pool]);
  });
});
