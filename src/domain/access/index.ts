/** What a caller may see of processes and sequences. */
export {
  isParty,
  linkViewer,
  mayKnow,
  seesAll,
  sequenceLinkViewer,
  type Viewer,
  viewerOfDocument,
} from './viewer.ts';
