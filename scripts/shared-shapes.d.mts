/**
 * Returns the code with `...null` before each spread that starts an object literal of more than one
 * part: its objects then share a hidden class in V8 of Node 20.
 *
 * @param code JavaScript as written by esbuild
 */
export declare function shareShapes(code: string, sourceType: 'module' | 'script'): string;
