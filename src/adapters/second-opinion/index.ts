/** XML signatures as another implementation checks them. */
export { xmldsigjsChecker } from './xmldsigjs-checker.ts';
