/** Pages on which a person logs in. */
export { registerEidReturn } from './eid-return.ts';
export { loginAnswers, loginQuery, sendLoginPage } from './login-page.ts';
