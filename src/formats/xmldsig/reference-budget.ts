import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { XmlDocument } from '../xml/index.ts';

/** Remaining work allowed for references: thousands may point to the same megabytes. */
export interface ReferenceBudget {
  /** Subtracts bytes. @throws xml.limit if the budget is exhausted */
  spend(lengthBytes: number): void;
  /** Subtracts steps of XPath expressions. @throws xml.limit if the budget is exhausted */
  step(count: number): void;
  /** Adds a referenced file: its size extends the budget by the same multiple as the document's. */
  grant(file: Uint8Array): void;
}

/** Number of times a document or file may be read in full. */
const ROUNDS = 32;

/**
 * The budget of all references of one document, including those of its signatures and manifests;
 * for several documents, omit `document` and grant each.
 */
export function createReferenceBudget(document?: XmlDocument): ReferenceBudget {
  const granted = new WeakSet<Uint8Array>();
  let leftSteps = limits.xmlXPathSteps;
  let leftBytes = limits.xmlReferencedBytes + ROUNDS * (document?.bytes.length ?? 0);
  return {
    spend(lengthBytes) {
      leftBytes -= lengthBytes;
      if (leftBytes < 0) {
        const message = 'the references cover more bytes than the limit allows';
        throw new InnsigliError('xml.limit', message);
      }
    },
    step(count) {
      leftSteps -= count;
      if (leftSteps >= 0) return;
      throw new InnsigliError(
        'xml.limit',
        `the XPath expressions of the document need more than ${limits.xmlXPathSteps} steps`,
      );
    },
    grant(file) {
      if (granted.has(file)) return;
      granted.add(file);
      leftBytes += ROUNDS * file.length;
    },
  };
}
