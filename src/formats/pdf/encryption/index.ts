/** Encrypted PDF files: the standard security handler with passwords. @spec ISO 32000-2 §7.6 */
export { openSecurity, type PdfSecurity } from './security.ts';
