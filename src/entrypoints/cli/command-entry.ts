import type { Reads } from '../../app/reads.ts';
import type { Define } from './cli.ts';

/** `reads` is what is brought up to date before it runs: `sessions` unless it says otherwise, in Care `nothing`. */
export type CommandEntry = {
  name: string;
  group: string;
  summary: string;
  reads?: Reads;
  load: () => Promise<Define>;
};
