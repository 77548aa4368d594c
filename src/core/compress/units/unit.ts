import { COMPRESS_WEIGHTS, type UnitKind } from '../weights.ts';

/** What a piece of a message has in it. */
export type UnitCue =
  | 'narrates'
  /** For the client, not for a reader. */
  | 'directive'
  /** A call without a name for what it was fed: JSON. */
  | 'bare'
  | 'supposes'
  | 'offers'
  | 'done'
  | 'turns'
  | 'failed'
  | 'concedes'
  | 'concedes-weakly'
  | 'finding'
  | 'heading'
  | 'leads'
  | 'pasted';

/** A piece of a turn that is included whole or not at all. */
export type Unit = {
  /** Its turn's place in the list of turns. */
  turn: number;
  kind: UnitKind;
  /** As it will be printed. */
  text: string;
  /** Of a message: its place in the text. Of a tool's input or output: its lines, end exclusive. */
  start: number;
  end: number;
  /** Lines of the whole that it is a part of; 0 for a message. */
  total: number;
  /** Whether it opens a line of its message. */
  opensLine: boolean;
  /** A block of code or a table, which needs lines of its own. */
  block: boolean;
  /** The unit without which this one says nothing (a tool's output without its call), or -1. */
  parent: number;
  /** ln of the quality without recency. */
  quality: number;
  cues: ReadonlySet<UnitCue>;
  /** Units that are chosen together with it: an objection with the concession, an ask with its outcome. */
  ties: number[];
  /** Taken back. */
  gone: boolean;
  /** Later words of another exchange say it again, or it repeats what the other side said just before. */
  repeated: boolean;
  /** The words that took it back. */
  rejectedBy?: string;
};

const NO_CUES: ReadonlySet<UnitCue> = new Set();

export function newUnit(turn: number, kind: UnitKind, text: string, rest: Partial<Unit> = {}): Unit {
  return {
    turn,
    kind,
    text,
    start: 0,
    end: 0,
    total: 0,
    opensLine: true,
    block: false,
    parent: -1,
    quality: COMPRESS_WEIGHTS.kind[kind],
    cues: NO_CUES,
    ties: [],
    gone: false,
    repeated: false,
    ...rest,
  };
}
