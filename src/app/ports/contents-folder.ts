import type { Vault } from './outside.ts';

/**
 * Small named texts that lie beside the contents of documents, for all programs that share the
 * folder: which store it belongs to, and who uses it.
 */
export interface ContentsFolder {
  /** Where it is, for messages to the operator. */
  readonly place: string;
  /** The text of a mark; undefined for none. @throws store.unavailable */
  findMark(name: string): Promise<string | undefined>;
  /**
   * Writes a mark durably unless there is one, and gives the text that stands.
   *
   * @throws store.full, store.readonly, store.unavailable
   */
  putMarkOnce(name: string, text: string): Promise<string>;
  /** Writes a mark durably, in the place of the one before. @throws as {@link putMarkOnce} */
  putMark(name: string, text: string): Promise<void>;
  removeMark(name: string): Promise<void>;
}

/** The file with the key of the vault. */
export interface VaultKeyFile {
  /** Where it is, for messages to the operator. */
  readonly place: string;
  /** The vault of the key; undefined when there is no file. @throws vault.invalid */
  open(): Promise<Vault | undefined>;
  /** As {@link open}; a key is made when there is none. */
  make(): Promise<Vault>;
}
