/** Logins and signatures by e-ID at the terminal. */
export type * from './eid-session.types.ts';
export { followEid, isRefused, startedOrRefused } from './follow.ts';
export type { EidView, EidWindow } from './frame.ts';
export { type DisplayOptions, type EidEvent, qrForms } from './talk.ts';
export { eidWords, failureExit, failureText, stepText } from './words.ts';
