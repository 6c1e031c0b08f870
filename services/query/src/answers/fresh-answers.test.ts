import { describe, expect, it } from 'vitest';
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

  it('they are not heard in time, is answered from the database and not kept', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    await askNow(hub, asked);
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
    expect(await askNow(hub, asked)).toBe('1');
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
