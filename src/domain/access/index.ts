/** What a caller may see of processes and sequences. */
export { audienceOf, evidencePageName, evidenceRecordName } from './audience.ts';
export { languageOf, signeeLanguages, withCopyIn } from './evidence-copies.ts';
export {
  isParty,
  linkViewer,
  mayKnow,
  mayOpen,
  seesAll,
  seesAllButKeys,
  sequenceLinkViewer,
  type Viewer,
  viewerOfDocument,
} from './viewer.ts';
