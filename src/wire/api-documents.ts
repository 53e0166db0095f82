import type { DocumentFace, SealedBytes } from '../api/index.ts';
import type { ByteSource } from '../base/bytes.ts';
import type { VerificationReport } from '../verify/report.ts';
import type { DocumentThreads } from './document-threads.ts';
import type { SealOutcome, Toolkit } from './toolkit.types.ts';

/**
 * A document up to this size is worked on at once: to hand it to a thread costs more than the
 * stall that it makes.
 */
const SMALL_BYTES = 256 * 1024;

/** The work on documents of `toolkit`; that on large ones goes to `threads` when there are any. */
export function apiDocuments(toolkit: Toolkit, threads?: DocumentThreads): DocumentFace {
  const aside = ({ lengthBytes }: ByteSource) => (lengthBytes > SMALL_BYTES ? threads : undefined);
  const made = async (input: ByteSource, task: string, options: object, here: Promised) => {
    const others = aside(input);
    if (others !== undefined) return (await others.run(task, input, options)) as SealedBytes;
    const { keptBytes, tail, sealCount } = await here();
    const kept = input.slice(0, keptBytes);
    return { kept, tail, ...(sealCount === undefined ? {} : { sealCount }) };
  };
  return {
    seal: (input, options) => made(input, 'seal', options, () => toolkit.seal(input, options)),
    sealXml: (input, options) =>
      made(input, 'sealXml', options, () => toolkit.sealXml(input, options)),
    archive: (input) => made(input, 'archive', {}, () => toolkit.archive(input)),
    verify: async (input) => {
      const others = aside(input);
      if (others === undefined) return toolkit.verify(input);
      return (await others.run('verify', input, {})) as VerificationReport;
    },
  };
}

type Promised = () => Promise<SealOutcome>;
