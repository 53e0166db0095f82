/** Electronic identities: a folder for each scheme, and the simulator of them all. */
export { openReturnReceiver } from './return-receiver.ts';
export * from './simulator/index.ts';
export type { EidHttp, EidHttpOptions } from './transport.ts';
