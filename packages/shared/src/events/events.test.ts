import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  assertCommand,
  assertEvent,
  commandDocuments,
  commands,
  type EventMap,
  eventDocuments,
  events,
  InvalidEventError,
  isSubject,
  parseEvent,
  type Subject,
  type SubjectsOf,
} from './index.js';

const upserted: EventMap['hub.v1.recording.upserted'] = {
  video_id: 7,
  camera_id: null,
  start_time: '2026-05-01T06:00:00.000Z',
  end_time: '2026-05-01T06:00:20+00:00',
  created: true,
  detections: 2,
  species_ids: [3],
  visit_ids: [],
};

describe('parseEvent', () => {
  test('parseEvent, a payload of the catalogue, is returned unchanged', () => {
    expect(parseEvent('hub.v1.recording.upserted', upserted)).toBe(upserted);
  });

  test('parseEvent, a key that a newer service added, is tolerated', () => {
    const newer = { ...upserted, weather: 'rain' };
    expect(parseEvent('hub.v1.recording.upserted', newer)).toEqual(newer);
  });

  test.each([
    ['a missing key', { ...upserted, video_id: undefined }],
    ['a text for a number', { ...upserted, video_id: '7' }],
    ['a fraction for an id', { ...upserted, species_ids: [1.5] }],
    ['a time that is not UTC', { ...upserted, start_time: '2026-05-01T06:00:00+02:00' }],
    ['a time that does not exist', { ...upserted, start_time: '2026-13-01T06:00:00Z' }],
    ['no object', null],
  ])('parseEvent, %s, throws', (_, payload) => {
    expect(() => parseEvent('hub.v1.recording.upserted', payload)).toThrow(InvalidEventError);
  });

  test('parseEvent, an invalid field, is named with its subject', () => {
    expect(() => parseEvent('hub.v1.recording.upserted', { ...upserted, species_ids: ['x'] })).toThrow(
      /^hub\.v1\.recording\.upserted: payload\/species_ids\/0 must be integer/,
    );
  });
});

describe('assertEvent', () => {
  test('assertEvent, a subject that is not in the catalogue, throws', () => {
    expect(() => assertEvent('toString' as Subject, {})).toThrow('no such event');
  });
});

describe('assertCommand', () => {
  test('assertCommand, a payload without its id, throws', () => {
    const payload = { requested_at: '2026-05-01T06:00:00Z' };
    expect(() => assertCommand('hub.cmd.v1.processor.restart', payload)).toThrow(InvalidEventError);
    expect(() => assertCommand('hub.cmd.v1.processor.restart', { ...payload, command_id: 1 })).not.toThrow();
  });
});

describe('catalogue', () => {
  test('all subjects, have the form hub.v1.<entity>.<past participle>', () => {
    for (const subject of Object.keys(events)) expect(subject).toMatch(/^hub\.v1\.[a-z]+\.[a-z]+ed$/);
  });

  test('isSubject, names of the prototype, are not subjects', () => {
    expect([isSubject('hub.v1.job.finished'), isSubject('constructor')]).toEqual([true, false]);
  });

  test('SubjectsOf, a pattern, covers the subjects of that entity', () => {
    expectTypeOf<SubjectsOf<'hub.v1.recording.*'>>().toEqualTypeOf<
      'hub.v1.recording.upserted' | 'hub.v1.recording.removed' | 'hub.v1.recording.purged'
    >();
    expectTypeOf<SubjectsOf<'hub.v1.>'>>().toEqualTypeOf<Subject>();
    expectTypeOf<SubjectsOf<'hub.v1.job.finished'>>().toEqualTypeOf<'hub.v1.job.finished'>();
  });
});

describe('documents', () => {
  test('eventDocuments, every field of every event, has a type and a description', () => {
    const documents = [...eventDocuments(), ...commandDocuments()];
    const subjects = documents.map((document) => document.subject);
    expect(subjects).toEqual([...Object.keys(events), ...Object.keys(commands)]);
    for (const { fields, subject, description } of documents) {
      expect(description, subject).toMatch(/\.$/);
      expect(fields.length, subject).toBeGreaterThan(0);
      for (const field of fields) {
        expect(field.description, `${subject} ${field.name}`).not.toBe('');
        expect(field.type, `${subject} ${field.name}`).not.toContain('unknown');
      }
    }
  });

  test('eventDocuments, literals, nullable and list types, are written readably', () => {
    const [first] = eventDocuments();
    const types = Object.fromEntries(first?.fields.map(({ name, type }) => [name, type]) ?? []);
    expect(types).toMatchObject({
      media_kind: 'video | audio | image | null',
      camera_id: 'string | null',
      species_ids: 'integer[]',
      start_time: 'RFC 3339, UTC',
    });
  });
});
