import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { XmlDocument } from '../xml/index.ts';

/** What references may still make us do: thousands may name the same megabytes. */
export interface ReferenceBudget {
  /** @throws xml.limit when nothing is left */
  spend(lengthBytes: number): void;
  /** Counts steps of XPath expressions. @throws xml.limit when none are left */
  step(count: number): void;
  /** Notes a file that came up; its size is granted again and again, as the document's is. */
  grant(file: Uint8Array): void;
}

/** Limit for reading a document or file again in full. */
const ROUNDS = 32;

/**
 * The budget of all references of one document, with those of its signatures and manifests; of
 * several documents if none was given and each is granted.
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
