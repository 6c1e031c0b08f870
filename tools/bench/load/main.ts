import { isScaleName, scales } from '../data-set/scale.js';
import { provideStore } from './store.js';

const [name = ''] = process.argv.slice(2);
if (!isScaleName(name)) throw new Error(`"${name}" is not a scale`);
const { folder } = await provideStore(scales[name], process.env);
console.log(folder);
