/** Images: PNG as pixels, the header of JPEG. */
export { readJpegHeader } from './jpeg.ts';
export { decodePng } from './png.ts';
export { pngSignature } from './png-chunks.ts';
export { undoPngRow } from './png-row.ts';
export { imageInvalid, shrinkRaster } from './raster.ts';
