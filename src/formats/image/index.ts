/** Images: PNG as pixels, the header of JPEG. */
export { type JpegHeader, readJpegHeader } from './jpeg.ts';
export { decodePng } from './png.ts';
export { pngSignature } from './png-chunks.ts';
export { imageInvalid, type RasterImage, shrinkRaster } from './raster.ts';
