import { createSentences, type Sentence, shownSentences } from '@birdhub/shared/errors';

/** Why a job or one of its items failed, in English; pages translate it by its code. */
export const jobProblems = {
  cancelled: 'It was cancelled.',
  crashed: 'It failed. The log of the hub says why.',
  recordings_absent:
    'Only {{present}} of {{checked}} recording files were found: the disk with the recordings may not be mounted',
  program_missing: '{{program}} cannot be run. Is it installed?',
  files_unusable: 'Its files cannot be used ({{code}})',
  unexpected: 'An unexpected error occurred: {{message}}',
  file_missing: 'The file is missing',
  file_unreadable: 'The file cannot be read',
  sound_undecodable: 'The sound cannot be decoded',
  no_picture: 'No picture could be made',
  nested_folder: 'It is in a folder data/recordings inside the recordings',
  length_unknown: 'Its length is unknown',
  time_unknown: 'Its time is unknown',
  inaccessible: 'It cannot be accessed ({{code}})',
  link: 'It is a link',
  not_a_file: 'It is not a regular file',
  name_refused: 'Its name is not allowed',
  file_empty: 'The file is empty',
} as const;

/** One of {@link jobProblems} with its values. */
export type JobProblem = Sentence<keyof typeof jobProblems>;

export const { say: jobProblem, toEnglish: problemInEnglish } = createSentences(jobProblems);

/** An item that failed, as it is stored. */
export interface JobFailure {
  readonly video_id?: number;
  /** Path of a file, relative to the recordings tree. */
  readonly path?: string;
  readonly reason: string;
  /** The same for translation; undefined in rows of earlier versions. */
  readonly sentences?: readonly Sentence[];
}

/** Returns the failure of an item, which `place` names. */
export const toJobFailure = (
  place: Pick<JobFailure, 'video_id' | 'path'>,
  problem: JobProblem,
): JobFailure => ({ ...place, reason: problemInEnglish(problem), sentences: shownSentences([problem]) });
