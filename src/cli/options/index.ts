/** Options that several commands share. */
export {
  batchHelp,
  batchOptions,
  batchResultOptions,
  meansBatch,
  readBatchOptions,
  refuseDetached,
  requireInput,
} from './batch.ts';
export {
  algorithmHelp,
  algorithmPolicyOption,
  detachedOption,
  digestOption,
  documentOptions,
  keyOptions,
  levelOption,
  namedAlgorithmPolicyOption,
  revocationHelp,
  revocationOption,
  type SettingOptions,
  settingsFrom,
  timestampOptions,
  trustOption,
  trustOptions,
} from './settings.ts';
export { readVisible, visibleOptions } from './visible.ts';
export { isOverFiles, meansXml, readXmlOptions, xmlOptions } from './xml.ts';
