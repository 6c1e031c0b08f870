import { aDetection, aRecording } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../settings/schema.js';
import type { SpeciesDirectory } from '../species/directory.js';
import { resolvePosted } from './resolve-posted.js';

/** Numbers labels from 1 on, and keeps what it was asked. */
function aDirectory(): Pick<SpeciesDirectory, 'resolve'> & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    asked,
    resolve: async (labels) => {
      asked.push([...labels]);
      return new Map([...new Set(labels)].map((label, index) => [label, index + 1]));
    },
  };
}

const settingsWith = (species_mapping: Record<string, string>, min_confidence_to_store = 0.05) => ({
  ...defaultSettings('UTC'),
  detection: { min_confidence_to_store, species_mapping },
});

async function resolve(names: string[], mapping: Record<string, string>) {
  const directory = aDirectory();
  const recording = aRecording({ detections: names.map((speciesName) => aDetection({ speciesName })) });
  const post = await resolvePosted(
    recording,
    settingsWith(mapping),
    directory as unknown as SpeciesDirectory,
  );
  return { post, asked: directory.asked.flat() };
}

describe('resolvePosted', () => {
  it('labels in the mapping however spelled, are asked for under the name they are mapped to', async () => {
    const { post, asked } = await resolve(['great-tit', 'Robin'], { 'GREAT TIT': 'Kohlmeise' });
    expect(asked).toEqual(['Kohlmeise', 'Robin']);
    expect(post.detections.map((row) => [row.speciesName, row.speciesId])).toEqual([
      ['great-tit', 1],
      ['Robin', 2],
    ]);
  });

  it('a mapping, is applied once', async () => {
    expect((await resolve(['A'], { A: 'B', B: 'C' })).asked).toEqual(['B']);
  });

  it.each(['', ' ', '\u0085'])('a mapping to %j, is none', async (to) => {
    expect((await resolve(['A'], { A: to })).asked).toEqual(['A']);
  });

  it('a label that is the name of a thing every object has, is not in the mapping', async () => {
    const { asked } = await resolve(['constructor', 'toString'], { A: 'B' });
    expect(asked).toEqual(['constructor', 'toString']);
  });

  it('detections just below the least confidence, are counted and asked for nowhere', async () => {
    const directory = aDirectory();
    const detections = [0.4, 0.3999, 0].map((confidence) =>
      aDetection({ confidence, speciesName: `${confidence}` }),
    );
    const recording = aRecording({ detections });
    const post = await resolvePosted(
      recording,
      settingsWith({}, 0.4),
      directory as unknown as SpeciesDirectory,
    );
    expect(post.dropped).toBe(2);
    expect(post.detections).toHaveLength(1);
    expect(directory.asked).toEqual([['0.4']]);
  });
});
