export {
  type BestView,
  type Box,
  chooseFrame,
  type Seen,
  visibleArea,
  withinPicture,
} from './choose-frame.js';
export { cutPicture, shrinkPicture } from './cut-picture.js';
export { type CropKey, cropName, findKeptCrop, keepCrop, listKeptCrops, readCrop } from './kept-crops.js';
