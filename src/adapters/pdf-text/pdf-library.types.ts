/** A run of characters in one line. */
export interface TextItem {
  readonly str: string;
  /** Transformation matrix. The last two numbers: the start from the lower left corner. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Whether the line ends with this item. */
  readonly hasEOL: boolean;
}

/** An annotation, such as a form field. */
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
  /** Lines of text in its appearance. */
  readonly textContent?: readonly string[];
}

/** A node of the structure tree of a page. */
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

/** The part of pdf.js that extracts text. */
export interface PdfLibrary {
  getDocument(options: object): { readonly promise: Promise<PdfDocument> };
}
