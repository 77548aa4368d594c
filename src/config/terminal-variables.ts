import { timeZone } from './time-zone.ts';

type Variables = Record<string, string | undefined>;

/** What only the command line asks of the environment. */
export type TerminalVariables = {
  editor: string | undefined;
  /** Undefined: color if it is a terminal. */
  color: boolean | undefined;
  columns: number | undefined;
  timeZone: () => string;
};

export function readTerminalVariables(vars: Variables = process.env): TerminalVariables {
  const columns = Number(vars.COLUMNS);
  return {
    editor: vars.VISUAL || vars.EDITOR || undefined,
    color: colorOf(vars),
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    timeZone: () => timeZone(vars),
  };
}

/** https://no-color.org, and FORCE_COLOR as Node itself reads it. */
function colorOf(vars: Variables): boolean | undefined {
  if (vars.NO_COLOR) return false;
  const force = vars.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return vars.TERM === 'dumb' ? false : undefined;
}
