/** Pages for people, in their language. */

export {
  type EidNumber,
  type EidOptions,
  eidForms,
  type FormMaker,
  waitingScreen,
} from './eid-screens.ts';
export {
  answersForm,
  clearScreen,
  type FormFacts,
  formScreen,
  type PersonField,
  personLines,
  savedHours,
  uploadField,
} from './form-screens.ts';
export { html, type Markup, type Part } from './html.ts';
export { type Frame, layout, type PageLook, pageHeaders } from './layout.ts';
export { type LoginFacts, loginScreen, wrongLinkScreen } from './login-screens.ts';
export { returnPage, stopPage, stoppedPage, unknownPage } from './notices.ts';
export { pageScript } from './page-script.ts';
export {
  type DocumentFacts,
  documentScreen,
  messageScreen,
  passcodeScreen,
  requestScreen,
  type SignFacts,
  signScreen,
  testNote,
} from './signing-screens.ts';
export { reviewScreen, type StepFacts, stepScreen } from './step-screens.ts';
export { pageStyle, pageStyleVersion } from './style.ts';
export { hasText, type TextFacts, textScreen } from './text-screen.ts';
export { type VerifyFacts, type VerifyNotice, verdictPage, verifyPage } from './verify-screens.ts';
export { filled, pageWords } from './words.ts';
export type { PageWords } from './words.types.ts';
