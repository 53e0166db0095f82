import type { StoredContent } from '../../app/ports/index.ts';

/** A content that is in memory. */
export function memoryContent(content: Uint8Array): StoredContent {
  return {
    lengthBytes: content.length,
    whole: content,
    pieces: async function* (span) {
      const { offsetBytes = 0, lengthBytes = content.length } = span ?? {};
      yield content.subarray(offsetBytes, offsetBytes + lengthBytes);
    },
  };
}
