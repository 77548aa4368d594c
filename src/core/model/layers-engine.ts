/** Grows whenever the same L1 would give other exchanges, concepts or facts: older layer files are rebuilt. */
export const LAYERS_ENGINE = 23;

/** From this one on facts know whose words they are. */
export const AUTHORS_ENGINE = 7;
