/** XML signatures as checked by a second implementation. */
export { xmldsigjsChecker } from './xmldsigjs-checker.ts';
