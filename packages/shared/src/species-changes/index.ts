export type { SpeciesPatch } from './edits.store.js';
export { createSpeciesEditor, type SpeciesEditor } from './species-editor.js';
