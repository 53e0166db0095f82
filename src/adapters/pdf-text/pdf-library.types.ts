/** A run of characters of one line. */
export interface TextItem {
  readonly str: string;
  /** The last two are the place of its beginning, from the lower left corner. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** The line ends with it. */
  readonly hasEOL: boolean;
}

/** An annotation, such as a field of a form. */
export interface Annotation {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldName?: string;
  readonly alternativeText?: string;
  readonly fieldValue?: unknown;
  readonly exportValue?: unknown;
  readonly buttonValue?: unknown;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  /** Lines that its appearance shows. */
  readonly textContent?: readonly string[];
}

/** A node of the structure of a page. */
export interface StructureNode {
  readonly alt?: string;
  readonly children?: readonly StructureNode[];
}

/** A page of an open document. */
export interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly TextItem[]; readonly lang: string | null }>;
  getAnnotations(options: { intent: 'display' }): Promise<readonly Annotation[]>;
  getStructTree(): Promise<StructureNode | null>;
  cleanup(): boolean;
}

/** An open document. */
export interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
}

/** The part of pdf.js that reads text. */
export interface PdfLibrary {
  getDocument(options: object): { readonly promise: Promise<PdfDocument> };
}
