import { createSentences, type Sentence, shownSentences } from '@birdhub/shared/errors';

/** Why a job or one of its items failed, in English; pages translate it by its code. */
export const jobProblems = {
  cancelled: 'The job was cancelled.',
  crashed: 'The job failed; see the log of the hub.',
  recordings_absent:
    'Only {{present}} of {{checked}} recording files were found: the disk with the recordings may not be mounted',
  program_missing: '{{program}} cannot be run: it may not be installed',
  files_unusable: 'its files cannot be used: {{code}}',
  unexpected: '{{message}}',
  file_missing: 'its file is not there',
  file_unreadable: 'its file cannot be read',
  sound_undecodable: 'its sound cannot be decoded',
  no_picture: 'no picture could be made of it',
  nested_folder: 'it is in a folder data/recordings within the recordings',
  length_unknown: 'its length is unknown',
  time_unknown: 'its time is unknown',
  inaccessible: '{{code}}',
  link: 'it is a link',
  not_a_file: 'it is not a regular file',
  name_refused: 'its name {{problem}}',
  file_empty: 'it is empty',
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
