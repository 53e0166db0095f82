/** The visible part of a seal: its content, position and drawing. */
export { type Covered, choosePlace, coveredAt, placeAllowance } from './choose-place.ts';
export {
  drawStamp,
  type Stamp,
  type StampContent,
  type StampFonts,
  stampSize,
} from './draw-stamp.ts';
export { type EmbeddedFont, embedFont } from './embed-font.ts';
export { type ImportedFont, type ImportedStamp, importFont, importStamp } from './import-stamp.ts';
export { readStampPage } from './page-boxes.ts';
export { calibratedRgb, deflated, flateStream, loadPdfKit } from './pdf-kit.ts';
export {
  type Box,
  type Corner,
  cornerStampSize,
  type Placement,
  pageSight,
  pageView,
  placeStamp,
  type Rotation,
  type StampPage,
  type StampPosition,
  slotsFor,
  slotsPerPage,
} from './placement.ts';
export { cutDrawing } from './stamp-drawing.ts';
export { readStampImage } from './stamp-image.ts';
export { rowTextSize } from './stamp-layout.ts';
export {
  defaultTemplate,
  placeholders,
  type StampLine,
  type StampValues,
  textFromTemplate,
} from './template.ts';
export { textWidth, wrapText } from './text-width.ts';
