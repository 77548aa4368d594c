/** Words as they are in the source, and where: `at` is the place of the first character. */
export type Leaf = { text: string; at: number };

/** Where something is in the source with the signs around it, end exclusive. */
export type TextSpan = { start: number; end: number };

export type Inline =
  | ({ kind: 'text' } & Leaf)
  | ({ kind: 'code'; span: TextSpan } & Leaf)
  | { kind: 'strong' | 'em' | 'strike'; span: TextSpan; inside: Inline[] }
  | { kind: 'link'; url: string; span: TextSpan; inside: Inline[] };

export type Block =
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'code'; language: string; leaves: Leaf[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'quote'; inside: Block[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };
