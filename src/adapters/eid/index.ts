/** Electronic identities: a folder for each scheme, and a simulator of all of them. */
export type { CibaOptions, CommonOptions, RestOptions } from './audkenni/index.ts';
export type { BankidOptions } from './bankid-se/index.ts';
export type { CscOptions } from './csc/index.ts';
export type { OidcOptions } from './oidc/index.ts';
export { openReturnReceiver } from './return-receiver.ts';
export * from './simulator/index.ts';
export type { SmartIdOptions } from './smart-id/index.ts';
export type { EidHttp, EidHttpOptions } from './transport.ts';
