import { valueInName } from '../formats/x509/index.ts';
import { printable } from './output/index.ts';

/** The common name of an RFC 4514 name, or else the whole name. */
export function commonName(name: string): string {
  return printable(valueInName(name, 'CN') ?? name);
}
