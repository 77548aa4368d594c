/** Words as they stand in the source, and where: `at` is the place of the first character. */
export type Leaf = { text: string; at: number };

export type Inline =
  | ({ kind: 'text' | 'code' } & Leaf)
  | { kind: 'strong' | 'em' | 'strike'; inside: Inline[] }
  | { kind: 'link'; url: string; inside: Inline[] };

export type Block =
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'code'; language: string; leaves: Leaf[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'quote'; inside: Block[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };
