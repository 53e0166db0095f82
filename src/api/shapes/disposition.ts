/**
 * The header Content-Disposition for a file of that name: one parameter, whatever the name holds.
 *
 * @spec RFC 8187 §3.2.1
 */
export function dispositionOf(kind: 'inline' | 'attachment', fileName: string): string {
  const escaped = encodeURIComponent(fileName.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename*=UTF-8''${escaped}`;
}
