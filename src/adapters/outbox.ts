import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InnsigliError } from '../base/errors.ts';
import { writeWhole } from './write-whole.ts';

/** Folder in which messages are stored as files. */
export interface OutboxOptions {
  readonly folder: string;
}

/** Kind of an outbox. */
interface Kept {
  readonly code: 'mail.unavailable' | 'sms.unavailable';
  readonly what: string;
  readonly ending: string;
}

/** Stores messages as files named by message id, so that a repeat creates no duplicate. */
export function outboxFiles({ folder }: OutboxOptions, { code, what, ending }: Kept) {
  const fileOf = (id: string) =>
    join(folder, `${id.replace(/[^\w.-]/g, '_').slice(0, 100)}.${ending}`);
  return {
    /** Writes a file atomically. @throws mail.unavailable, sms.unavailable */
    async write(id: string, bytes: Uint8Array): Promise<void> {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWhole(fileOf(id), bytes);
      } catch (cause) {
        throw new InnsigliError(code, `the outbox folder of ${what} cannot be written`, {
          details: { file: folder },
          hint: 'check its permissions and the free disk space',
          cause,
        });
      }
    },
    async forget(ids: readonly string[]): Promise<void> {
      for (const id of ids) await rm(fileOf(id), { force: true });
    },
  };
}
