/** A line of a menu. */
export type MenuItem = {
  title: string;
  icon?: string;
  /** Destroys something: shown so. */
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
};
