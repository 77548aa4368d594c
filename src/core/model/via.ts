export const VIAS = ['typed', 'agent', 'model', 'import'] as const;
/** How something came in: the user's own words, an agent's, a model's, or by import. */
export type Via = (typeof VIAS)[number];
