import type { DocumentService, SealedDocumentParts } from '../../api/index.ts';
import { isLightDocument } from '../../app/documents/light-document.ts';
import type { SealedDocument } from '../../app/documents/sealed-document.ts';
import type { ReportInWords } from '../../app/reports/index.ts';
import type { ByteSource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { documentOrder } from '../threads/document-order.ts';
import { serializeVerification } from '../threads/verification-answer.ts';
import { verificationInWords } from '../threads/verification-words.ts';
import type { WorkThreads } from '../threads/work-threads.types.ts';
import type { Toolkit } from '../toolkit.types.ts';

/** Document operations of `toolkit`. Potentially long ones run on `threads` if given. */
export function apiDocuments(toolkit: Toolkit, threads?: WorkThreads): DocumentService {
  const aside = (input: ByteSource) => (isLightDocument(input) ? undefined : threads);
  const made = async (input: ByteSource, order: Order, here: () => Promise<SealedDocument>) => {
    const others = aside(input);
    if (others !== undefined) {
      return (await others.run(documentOrder({ ...order, input }))) as SealedDocumentParts;
    }
    const { keptBytes, tail, sealCount } = await here();
    const kept = input.slice(0, keptBytes);
    return { kept, tail, ...defined({ sealCount }) };
  };
  return {
    seal: (input, options, owner) =>
      made(input, { task: 'seal', options, owner }, () => toolkit.seal(input, options)),
    sealXml: (input, options, owner) =>
      made(input, { task: 'sealXml', options, owner }, () => toolkit.sealXml(input, options)),
    augment: (input, owner) =>
      made(input, { task: 'archive', options: {}, owner }, () => toolkit.augment(input)),
    verify: async (input, options, owner) => {
      const others = aside(input);
      if (others === undefined)
        return serializeVerification(await toolkit.verify(input, [], options));
      const order = documentOrder({ task: 'verify', input, options, owner });
      return (await others.run(order)) as Uint8Array;
    },
    describe: async (input, options, owner) => {
      const others = aside(input);
      if (others === undefined)
        return verificationInWords(await toolkit.verify(input, [], {}), options);
      const order = documentOrder({ task: 'describe', input, options, owner });
      return (await others.run(order)) as ReportInWords;
    },
  };
}

interface Order {
  readonly task: string;
  readonly options: object;
  readonly owner: string;
}
