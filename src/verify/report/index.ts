/** The verification report: its types, and the building blocks of EN 319 102-1. */
export { withBuildingBlocks } from './building-blocks.ts';
export * from './report.ts';
export { settleReport } from './settle-qualification.ts';
export {
  cmsObjects,
  type DigestValue,
  objectsOf,
  pathObjects,
  type TimestampObject,
  tokenObjects,
  type ValidationObjects,
  withObjects,
} from './validation-objects.ts';
