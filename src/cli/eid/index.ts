/** Logins and signatures by electronic identity at the terminal. */
export type * from './eid-session.types.ts';
export { followEid } from './follow.ts';
export { type EidView, type EidWindow, eidFrame } from './frame.ts';
export { openLiveArea } from './live-area.ts';
export { isRefused, type RefusedStart, startedOrRefused } from './outcome.ts';
export { qrLines, qrModules } from './qr.ts';
export { type EidEvent, qrForms, type TalkOptions } from './talk.ts';
export { eidWords, failureExit, failureText, stepText } from './words.ts';
