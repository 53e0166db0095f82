/** Names that Windows keeps for devices, with any ending. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;

/** Marks that reorder text, or are not seen in it. */
const hidden = /[\p{Bidi_Control}\p{Cc}\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\uffff]/u;

/**
 * The reason that a name inside an archive is not portable or is displayed misleadingly; undefined
 * without one. An archive may have the name: Windows accepts no device names, no dots and spaces at
 * the end and none of `<>:"|?*`; marks that reorder text show `gpj.exe` as `exe.jpg`; programs take
 * a name that begins with a hyphen for an option.
 */
export function foreignNameFault(name: string): string | undefined {
  const mark = hidden.exec(name)?.[0];
  if (mark !== undefined) {
    const code = mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `has the invisible character U+${code}`;
  }
  for (const segment of name.split('/')) {
    const fault = segmentFault(segment);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function segmentFault(segment: string): string | undefined {
  const [stem = ''] = segment.split('.');
  if (devices.test(stem.trimEnd())) return `is a device name on Windows: ${segment}`;
  if (/[. ]$/.test(segment)) return 'ends with a dot or space, which Windows removes';
  const sign = /[<>:"|?*]/.exec(segment)?.[0];
  if (sign !== undefined) return `has the character ${sign}, which Windows does not allow`;
  if (segment.startsWith('-')) return 'begins with a hyphen, which programs read as an option';
  return segment.startsWith(' ') ? 'begins with a space' : undefined;
}
