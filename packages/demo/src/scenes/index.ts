export {
  drawBackground,
  drawForeground,
  drawSnow,
  type Place,
  picture,
  places,
  type Scene,
  type Season,
  seasons,
  standing,
  trunk,
} from './draw-scene.js';
export { type ColourMatrix, colourOf, farLight, type Light, lights } from './light.js';
