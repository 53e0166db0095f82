/** Finding objects and streams in a damaged file. */
export { ByteScanner } from './byte-scanner.ts';
export { type FoundContainer, type FoundTrailer, type Scan, scanObjects } from './scan.ts';
export { type SettledLengths, settleLengths } from './stream-lengths.ts';
