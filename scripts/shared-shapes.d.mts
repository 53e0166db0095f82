/**
 * The code with `...null` before each spread that begins an object literal of more than one part:
 * its objects then share a hidden class in V8 of Node 20.
 *
 * @param code JavaScript as esbuild wrote it
 */
export declare function shareShapes(code: string, sourceType: 'module' | 'script'): string;
