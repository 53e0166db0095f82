/** Encryption at rest with a key in the data directory. */
export { openVaultKeyFile } from './file-vault.ts';
export { openVault } from './vault.ts';
